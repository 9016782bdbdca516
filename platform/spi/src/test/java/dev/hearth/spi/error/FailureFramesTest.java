package dev.hearth.spi.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures with stack traces that the test sets. */
class FailureFramesTest {
    private static final StackTraceElement PARSE = frame("user.Bad", "parse", 4);
    private static final StackTraceElement MAP = frame("user.Bad", "map", 7);
    private static final StackTraceElement MAIN = frame("user.Bad", "main", 9);
    private static final StackTraceElement ENGINE = frame("dev.hearth.engine.internal.Task", "run", 1);
    private static final StackTraceElement LAUNCHER = frame("dev.hearth.submission.api.MainMethod", "call", 2);
    private static final StackTraceElement JUNIT = frame("org.junit.Runner", "run", 3);

    @Test
    void showsTheFramesOfTheExceptionThenThoseOfItsCausesThenTheCall() {
        Exception cause =
                with(new NumberFormatException("x\ny"), frame("java.lang.Integer", "parseInt", 1), PARSE, MAP);
        Exception thrown = with(new IllegalStateException("line", cause), frame("user.Bad", "parse", 5), ENGINE, MAP);
        HearthException job = with(new HearthException("TASK_FAILED", "job", thrown), ENGINE, MAIN, LAUNCHER, JUNIT);
        HearthException shown = with(new HearthException("TASK_FAILED", "job, at", job), LAUNCHER, JUNIT);
        assertEquals(
                List.of(
                        "  at user.Bad.parse(Bad.java:5)",
                        "  at user.Bad.map(Bad.java:7)",
                        "  caused by java.lang.NumberFormatException: x",
                        "  at user.Bad.parse(Bad.java:4)",
                        "  called at user.Bad.main(Bad.java:9)"),
                FailureFrames.lines(shown));
    }

    @Test
    void showsTheCallAloneWhenNoUserCodeFailed() {
        Exception inside = with(new IllegalStateException("inside"), ENGINE);
        assertEquals(
                List.of("  at user.Bad.main(Bad.java:9)"),
                FailureFrames.lines(with(new HearthException("X", "x", inside), ENGINE, MAIN, LAUNCHER)));
        assertEquals(List.of(), FailureFrames.lines(with(new HearthException("X", "x"), ENGINE, LAUNCHER, JUNIT)));
    }

    @Test
    void showsTenFramesAtMost() {
        StackTraceElement[] many = Collections.nCopies(100, PARSE).toArray(StackTraceElement[]::new);
        Exception thrown = with(new IllegalStateException("deep", with(new Exception("deeper"), many)), many);
        assertEquals(
                10,
                FailureFrames.lines(with(new HearthException("X", "x", thrown), MAIN))
                        .size());
    }

    @Test
    void leavesOutTheNamesOfClassLoadersAndModules() {
        StackTraceElement loaded = new StackTraceElement("Bad#1", "", "", "user.Bad", "parse", "Bad.java", 4);
        assertEquals("Bad#1//user.Bad.parse(Bad.java:4)", loaded.toString());
        assertEquals("user.Bad.parse(Bad.java:4)", FailureFrames.show(loaded));
    }

    @Test
    void beginsTheTraceOfAFailureWithTheLineOfTheUser() {
        HearthException failure = FailureFrames.fromUser(with(new HearthException("X", "x"), ENGINE, MAIN, ENGINE));
        assertEquals(List.of(MAIN, ENGINE), List.of(failure.getStackTrace()));
        HearthException ours = FailureFrames.fromUser(with(new HearthException("X", "x"), ENGINE));
        assertEquals(1, ours.getStackTrace().length);
        assertTrue(FailureFrames.isUsers("com.example.App") && !FailureFrames.isUsers("java.lang.String"));
    }

    private static StackTraceElement frame(String type, String method, int line) {
        return new StackTraceElement(type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", line);
    }

    private static <T extends Throwable> T with(T failure, StackTraceElement... frames) {
        failure.setStackTrace(frames);
        return failure;
    }
}
