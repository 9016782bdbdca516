package dev.hearth.engine.user;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.executor.TestingRun;
import dev.hearth.engine.internal.plan.TaskFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the stack traces that users see when their exceptions fail a task. */
class UserTracesTest {
    @Test
    void showsTheUsersFramesFirstAndNothingBelowThem() throws Exception {
        MapFunction<Integer, Integer> function = number -> Parsing.parse("no number");
        TaskFailure failure = TestingRun.failure(function);
        assertEquals(NumberFormatException.class.getName(), failure.type());
        List<String> types =
                failure.frames().stream().map(StackTraceElement::getClassName).toList();
        assertTrue(types.contains("java.lang.Integer"), types.toString());
        assertEquals(UserTracesTest.class.getName(), types.get(types.size() - 1), "the last is the user's own");
        assertTrue(types.stream().noneMatch(type -> type.contains("engine.internal")), types.toString());
    }

    @Test
    void keepsTheChainOfCausesWithTheirLines() throws Exception {
        MapFunction<Integer, Integer> function = number -> {
            try {
                return Parsing.parse("nothing");
            } catch (NumberFormatException failure) {
                throw new IllegalArgumentException("outer", failure);
            }
        };
        String text = TestingRun.failure(function).text();
        assertTrue(
                text.startsWith("java.lang.IllegalArgumentException: outer; caused by java.lang.NumberFormatException"),
                text);
        assertTrue(text.contains("Parsing.java:"), text);
        TaskFailure failure = TestingRun.failure(function);
        assertEquals("java.lang.IllegalArgumentException: outer", failure.thrown());
        assertEquals(1, failure.causes().size());
        TaskFailure.Cause cause = failure.causes().get(0);
        assertTrue(cause.text().startsWith("java.lang.NumberFormatException: For input string"), cause.text());
        assertTrue(
                cause.frames().stream().anyMatch(frame -> "Parsing.java".equals(frame.getFileName())),
                cause.frames()::toString);
    }
}
