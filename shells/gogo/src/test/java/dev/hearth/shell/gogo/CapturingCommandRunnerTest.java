package dev.hearth.shell.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.LineTerminal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines run for other processes: output, status and failures, within bounds. */
@Timeout(60)
class CapturingCommandRunnerTest {
    private static final long WAIT_SECONDS_MAX = 120;

    private final Language language = new Language();
    private final CapturingCommandRunner lines = new CapturingCommandRunner(language.processor());

    @Test
    void showsTheValueOfALine() {
        assertEquals(new CommandResult(0, "hello\n", ""), lines.run("test:say hello", 80));
    }

    @Test
    void findsCommandsWithoutTheirScope() {
        assertEquals(new CommandResult(0, "hello\n", ""), lines.run("say hello", 80));
    }

    @Test
    void keepsNoVariablesBetweenLines() {
        assertEquals(0, lines.run("x = 1", 80).status());
        assertEquals(new CommandResult(0, "", ""), lines.run("$x", 80));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nosuch        | 2 | error: command 'nosuch': unknown (expected: one that 'help' lists)",
                "say (         | 2 | error: line 'say (': unexpected EOT",
                "say           | 2 | error: command 'say': arguments that do not fit (expected: say TEXT); see 'help say'",
                "writ 1        | 2 | error: command 'writ': unknown (expected: one that 'help' lists); did you mean write?",
                "fail          | 1 | error: line 'fail': java.lang.IllegalStateException: boom"
            })
    void tellsInOneLineWhatWentWrong(String line, int status, String message) {
        CommandResult result = lines.run(line, 80);
        assertEquals(status, result.status());
        assertTrue(result.errors().startsWith(message), result::errors);
        assertEquals(1, result.errors().lines().count(), result::errors);
    }

    @Test
    void passesOnWhatALinePrintsWhileItRuns() throws Exception {
        StringBuilder printed = new StringBuilder();
        LineTerminal terminal = new LineTerminal() {
            @Override
            public int width() {
                return 100;
            }

            @Override
            public synchronized void print(String text) {
                printed.append(text);
            }

            @Override
            public synchronized void printError(String text) {
                printed.append('!').append(text);
            }
        };
        assertEquals(0, lines.run("say Köln; test:say $COLUMNS", terminal));
        assertEquals("100\n", printed.toString(), "the value of the last command");
        assertEquals(1, lines.run("write 3; fail", terminal));
        assertTrue(printed.toString().startsWith("100\nxxx!error: line 'write 3; fail'"), printed::toString);
    }

    @Test
    void survivesALineNestedTooDeep() {
        CommandResult result = lines.run("(".repeat(100_000) + ")".repeat(100_000), 80);
        assertEquals(2, result.status());
        assertTrue(
                result.errors().contains("nested too deep") && result.errors().length() < 500, result::errors);
    }

    @Test
    void cutsWhatIsTooMuchAndSaysSo() {
        CommandResult result = lines.run("write 5000000", 80);
        assertEquals(0, result.status());
        assertTrue(result.output().length() < 4_200_000, () -> result.output().length() + " characters");
        assertTrue(
                result.output()
                        .endsWith("... cut: 805696 more bytes (expected: 4194304 at most); ask for less, or"
                                + " write to a file by '> FILE'\n"),
                () -> result.output().substring(4_194_300));
    }

    @Test
    void endsALineWhoseCallerIsInterrupted() throws Exception {
        CompletableFuture<CommandResult> ended = new CompletableFuture<>();
        Thread caller = new Thread(() -> ended.complete(lines.run("test:await", 80)), "caller");
        caller.start();
        assertTrue(language.waiting().await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
        caller.interrupt();
        CommandResult result = ended.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
        assertEquals(1, result.status());
        assertTrue(result.errors().contains("interrupted"), result::errors);
        assertTrue(language.interrupted().await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
    }
}
