package dev.hearth.shell.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.shell.gogo.CommandLoop.OnFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Command lines from a pipe: all run despite failures; the status is that of {@code exit} or of the last line. */
@Timeout(60)
class CommandLoopTest {
    private static final long WAIT_SECONDS_MAX = 120;

    private final Language language = new Language();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final StopSignal stopping = new StopSignal();

    @Test
    void goesOnAfterAFailureAndEndsWithTheStatusOfTheLastLine() throws Exception {
        assertEquals(0, run("nosuch\n\n# a comment\nsay one\n"));
        assertEquals("one\n", output.toString(StandardCharsets.UTF_8));
        assertEquals(2, run("say two\nnosuch"));
        assertEquals(2, errors.toString(StandardCharsets.UTF_8).lines().count());
    }

    @Test
    void keepsVariablesFromLineToLine() throws Exception {
        assertEquals(0, run("x = seven\nsay $x\n"));
        assertEquals("seven\nseven\n", output.toString(StandardCharsets.UTF_8));
    }

    @Test
    void joinsLinesWhileAQuoteIsOpen() throws Exception {
        assertEquals(0, run("say \"one\ntwo\"\n"));
        assertEquals("one\ntwo\n", output.toString(StandardCharsets.UTF_8));
    }

    @Test
    void saysWhatIsMissingWhenTheInputEndsTooEarly() throws Exception {
        assertEquals(2, run("say (\n"));
        assertTrue(errors.toString(StandardCharsets.UTF_8).contains("expected: closed quotes and brackets"));
    }

    @Test
    void endsWhereExitStands() throws Exception {
        assertEquals(7, run("exit 7\nsay one\n"));
        assertEquals(2, run("nosuch\nexit\nsay one\n"));
        assertEquals(2, run("exit 256\nexit\n"), "no process can end with 256, so nobody takes it for an end");
        assertEquals("", output.toString(StandardCharsets.UTF_8));
    }

    @Test
    void endsWhenTheProcessIsToldToWhileNothingIsTyped() throws Exception {
        try (PipedOutputStream never = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(never);
                CommandExecutor lines = lines()) {
            CompletableFuture<Integer> ended = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            stopping.begin(Thread.currentThread());
                            ended.complete(new CommandLoop(lines, stopping, OnFailure.CONTINUE)
                                    .run(new PipedInput(in, () -> 80)));
                        } catch (Exception failure) {
                            ended.completeExceptionally(failure);
                        }
                    },
                    "shell");
            thread.start();
            stopping.request();
            assertEquals(0, ended.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
        }
    }

    private int run(String typed) throws Exception {
        try (CommandExecutor lines = lines()) {
            ByteArrayInputStream in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
            return new CommandLoop(lines, stopping, OnFailure.CONTINUE).run(new PipedInput(in, () -> 80));
        }
    }

    private CommandExecutor lines() {
        return new LocalCommandExecutor(
                language.processor(),
                new PrintStream(output, true, StandardCharsets.UTF_8),
                new PrintStream(errors, true, StandardCharsets.UTF_8),
                false);
    }
}
