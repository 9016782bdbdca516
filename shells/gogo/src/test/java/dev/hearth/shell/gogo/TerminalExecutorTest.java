package dev.hearth.shell.gogo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.shell.gogo.command.LineHistory;
import dev.hearth.shell.gogo.command.LineHistory.Line;
import dev.hearth.shell.gogo.command.TerminalCommands;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of a shell at a terminal: the pager, commands of the terminal, recalled lines, and the banner. */
class TerminalExecutorTest {
    private static final List<Line> TYPED =
            List.of(new Line(4, "info"), new Line(5, "bundles rpc"), new Line(6, "info --json"));

    private final Language language = new Language();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final SwitchableOutput switchable = new SwitchableOutput(output);
    private final PrintStream out = new PrintStream(switchable, true, StandardCharsets.UTF_8);
    private final LocalCommandExecutor local = new LocalCommandExecutor(language.processor(), out, out, true);
    private final List<String> paged = new ArrayList<>();
    private final List<String> remote = new ArrayList<>();
    private final TerminalExecutor executor = new TerminalExecutor(new Remote(), local, switchable, paged::add);

    /** Records the lines that another process would run. */
    private final class Remote implements CommandExecutor {
        @Override
        public int run(String line, int width) {
            remote.add(line);
            out.println("remote");
            return 0;
        }

        @Override
        public String ask(String line) {
            return "{\"role\":\"master\",\"version\":\"1.2-SNAPSHOT\",\"home\":\"/x\",\"process\":17}";
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        local.close();
    }

    @Test
    void pagesTheOutputOfALineThatEndsWithThePager() {
        assertEquals(0, executor.run("bundles | less", 80));
        assertEquals(List.of("remote\n"), paged);
        assertEquals(List.of("bundles "), remote);
        assertEquals("", output.toString(StandardCharsets.UTF_8));
        assertEquals(0, executor.run("bundles", 80));
        assertEquals("remote\n", output.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"say 'a | less'; ''", "say a | less | wc; ''", "a|b | hearth:less; 'a|b '"})
    void pagesOnlyWhereThePagerIsTheLastCommand(String line, String rest) {
        assertEquals(rest, TerminalExecutor.paged(line).orElse(""));
    }

    @Test
    void runsCommandsOfTheTerminalInThisProcess() {
        language.add(new TerminalCommands(), "history", "clear");
        assertEquals(1, executor.run("history", 80), "without a terminal");
        assertTrue(output.toString(StandardCharsets.UTF_8).startsWith("error: hearth:history: no history"));
        local.define(LineHistory.VARIABLE, (LineHistory) () -> TYPED);
        output.reset();
        assertEquals(0, executor.run("history 2 --json", 80));
        executor.run("clear", 80);
        assertTrue(
                output.toString(StandardCharsets.UTF_8)
                        .endsWith("[{\"number\":5,\"line\":\"bundles rpc\"},{\"number\":6,\"line\":\"info --json\"}]\n"
                                + "\u001b[H\u001b[2J\u001b[3J"),
                output::toString);
        assertEquals(List.of(), remote);
    }

    @ParameterizedTest
    @CsvSource({"4, info", "5, bundles rpc", "!, info --json", "-2, bundles rpc", "bun, bundles rpc", "in, info --json"
    })
    void recallsLinesByNumberAndStart(String wanted, String line) {
        assertTrue(TypedLines.isRecall("!" + wanted));
        assertEquals(line, TypedLines.find(wanted, TYPED).orElse(""));
    }

    @ParameterizedTest
    @CsvSource({"3", "7", "-4", "-0", "nosuch"})
    void recallsNothingElse(String wanted) {
        assertEquals(Optional.empty(), TypedLines.find(wanted, TYPED));
    }

    @Test
    void saysWhichProcessRunsTheCommands() {
        assertEquals(
                "Hearth 1.2-SNAPSHOT, role master at 127.0.0.1:7077, process 17\n"
                        + "TAB completes, 'help' lists the commands, 'help COMMAND' explains one; Ctrl-D or 'exit'"
                        + " ends.\n",
                Banner.text(executor, Optional.of(ShellTarget.parse("127.0.0.1:7077", Optional.empty())), false));
    }
}
