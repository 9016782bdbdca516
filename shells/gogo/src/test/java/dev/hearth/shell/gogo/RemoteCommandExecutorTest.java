package dev.hearth.shell.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.LineTerminal;
import dev.hearth.spi.shell.RemoteCommands;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A shell of another process, which restarts: the line that ran is lost, the next one runs there, each at most once. */
class RemoteCommandExecutorTest {
    private static final String REDRAW = "\u001b[H\u001b[J";

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    private final PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
    private final List<String> ran = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private boolean isUp = true;
    private int connectsRefused;
    private boolean interrupts;

    private final class OneSession implements RemoteCommands.Session {
        private boolean isOpen = true;

        @Override
        public CommandResult run(String line, int width, Duration timeout) {
            throw new AssertionError("not streamed");
        }

        @Override
        public int run(String line, LineTerminal terminal, Duration timeout) {
            ran.add(line);
            isOpen = isOpen && isUp;
            if (line.equals("crash")) {
                isOpen = false;
                terminal.print("begun\n");
                throw ErrorCode.PEER_LOST.failure("peer: gone");
            }
            if (line.equals("slow")) {
                throw ErrorCode.ASK_TIMED_OUT.failure("ask of endpoint shell: no answer");
            }
            terminal.print(line.startsWith("info") ? "" : REDRAW + "=");
            terminal.print("\u001b[31m" + line + "\u001b[0m \u001b[2J at " + terminal.width() + "\n");
            return 3;
        }

        @Override
        public boolean isConnected() {
            return isOpen && isUp;
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }

    @Test
    void printsWhatTheOtherProcessPrintsButForItsControlCharacters() {
        assertEquals(3, executor(true).run("info", 80));
        assertEquals("\u001b[31minfo\u001b[0m ?[2J at 80\n", output.toString(StandardCharsets.UTF_8));
        output.reset();
        assertEquals(3, executor(false).run("info", 80));
        assertEquals("?[31minfo?[0m ?[2J at 80\n", output.toString(StandardCharsets.UTF_8));
    }

    @Test
    void saysHowToWaitLongerForALine() {
        assertEquals(ErrorCode.ASK_TIMED_OUT.exit().status(), executor(true).run("slow", 80));
        assertEquals(
                "error: line 'slow': no end within 60000 ms, so it was interrupted (expected: an end within --timeout, or"
                        + " hearth.shell.timeout); set a longer one\n",
                errors.toString(StandardCharsets.UTF_8));
    }

    @Test
    void letsOnlyAWatchedLineClearTheTerminal() {
        RemoteCommandExecutor executor = executor(true);
        for (String line : List.of("workers --watch", "workers --watch --times 2", "workers", "echo a--watch")) {
            executor.run(line, 80);
        }
        assertEquals(
                List.of(REDRAW, REDRAW, "?[H?[J", "?[H?[J"),
                output.toString(StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.substring(0, line.indexOf('=')))
                        .toList());
        output.reset();
        executor(false).run("workers --watch", 80);
        assertTrue(output.toString(StandardCharsets.UTF_8).startsWith("?[H?[J="));
    }

    @Test
    void reportsTheLineThatRanAndConnectsAgainForTheNext() {
        connectsRefused = 3;
        RemoteCommandExecutor executor = executor(false);
        assertEquals(ErrorCode.PEER_LOST.exit().status(), executor.run("crash", 80));
        assertEquals(3, executor.run("info", 80));
        assertEquals(List.of("crash", "info"), ran);
        assertEquals(List.of(100L, 200L, 400L, 800L), pauses);
        String said = errors.toString(StandardCharsets.UTF_8);
        assertTrue(said.startsWith("error: line 'crash': the connection was lost while it ran"), said);
        assertTrue(said.endsWith("(connection lost; reconnecting, Ctrl-C ends the wait)\n(reconnected)\n"), said);
    }

    @Test
    void connectsBeforeALineWhenTheProcessRestartedMeanwhile() {
        RemoteCommandExecutor executor = executor(false);
        assertEquals(3, executor.run("first", 80));
        isUp = false;
        connectsRefused = 0;
        assertEquals(3, executor.run("second", 80));
        assertEquals(List.of("first", "second"), ran);
        assertTrue(errors.toString(StandardCharsets.UTF_8).endsWith("(reconnected)\n"));
    }

    @Test
    void endsTheWaitWhenInterruptedOrTooLong() {
        RemoteCommandExecutor executor = executor(false);
        isUp = false;
        interrupts = true;
        assertEquals(ErrorCode.PEER_LOST.exit().status(), executor.run("info", 80));
        assertTrue(errors.toString(StandardCharsets.UTF_8).endsWith("(not connected)\n"));
        interrupts = false;
        connectsRefused = Integer.MAX_VALUE;
        executor.run("info", 80);
        assertTrue(errors.toString(StandardCharsets.UTF_8).endsWith("; no connection within 300 s\n"));
        assertTrue(pauses.stream().allMatch(pause -> pause <= Reconnector.PAUSE_MILLIS_MAX));
        assertEquals(List.of(), ran);
    }

    private RemoteCommandExecutor executor(boolean colours) {
        Reconnector reconnector = new Reconnector(this::connect, this::pause, err);
        return new RemoteCommandExecutor(
                new OneSession(), Optional.of(reconnector), out, err, Duration.ofMinutes(1), colours);
    }

    private RemoteCommands.Session connect() {
        if (connectsRefused-- > 0) {
            throw ErrorCode.PEER_UNREACHABLE.failure("kernel:1: connection refused");
        }
        isUp = true;
        return new OneSession();
    }

    private void pause(long millis) throws InterruptedException {
        pauses.add(millis);
        if (interrupts) {
            throw new InterruptedException();
        }
    }
}
