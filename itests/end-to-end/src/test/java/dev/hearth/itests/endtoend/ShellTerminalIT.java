package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell at a pseudo terminal, as its user sees it. */
@Timeout(120)
class ShellTerminalIT {
    private static final String PROMPT = "hearth\u001b[0m> ";

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void greetsCompletesFiltersAndRemembers() throws Exception {
        Path person = Files.createDirectory(scratch.resolve("person"));
        try (PseudoTerminal terminal = shell(person)) {
            terminal.awaitOutput(PROMPT);
            String greeting = terminal.screen().text();
            assertTrue(greeting.matches("(?s)Hearth \\S+, role shell, process \\d+\nTAB completes.*"), greeting);
            terminal.type("hea\t");
            terminal.awaitScreen("head      hearth:");
            terminal.type(PseudoTerminal.CONTROL_C);
            terminal.awaitOutput(PROMPT);
            terminal.type("thr\t");
            terminal.awaitOutput("threads ");
            terminal.type("--du\t\r");
            terminal.awaitOutput("    at ");
            terminal.awaitOutput(PROMPT);
            terminal.type("echo one two | grep -n tw\r");
            terminal.awaitOutput("1:one \u001b[1;31mtw\u001b[0mo");
            terminal.awaitOutput(PROMPT);
            terminal.type("inf\r");
            terminal.awaitScreen("did you mean info?");
            terminal.awaitOutput(PROMPT);
            terminal.type("!ech\r");
            terminal.awaitOutput("\u001b[1;31mtw");
            terminal.awaitOutput(PROMPT);
            terminal.type("history 1\r");
            terminal.awaitOutput("history 1\r\n");
            terminal.awaitOutput(PROMPT);
            terminal.type("logout 5\r");
            assertEquals(5, terminal.status());
        }
        assertTrue(Files.readString(person.resolve(".hearth/history")).contains("threads --dump"));
        try (PseudoTerminal terminal = shell(person, "--no-banner")) {
            terminal.awaitOutput(PROMPT);
            assertFalse(terminal.screen().text().contains("TAB completes"));
            terminal.type(PseudoTerminal.UP + PseudoTerminal.UP); // above logout
            terminal.awaitOutput("history 1");
            terminal.type(PseudoTerminal.CONTROL_C);
            terminal.awaitOutput(PROMPT);
            pagesClearsAndFollowsTheSize(terminal);
            terminal.type(PseudoTerminal.CONTROL_D);
            assertEquals(0, terminal.status());
        }
    }

    private static void pagesClearsAndFollowsTheSize(PseudoTerminal terminal) throws Exception {
        terminal.type("services | less\r");
        terminal.awaitOutput("\u001b[?1049h");
        terminal.awaitScreen("id ");
        terminal.type("q");
        terminal.awaitOutput(PROMPT);
        terminal.resize(40, 60);
        terminal.type("clear\r");
        terminal.awaitOutput("\u001b[2J");
        terminal.awaitOutput(PROMPT);
        terminal.type("bundles jline\r");
        terminal.awaitOutput("ACTIVE");
        // the prompt before the command may be drawn again, and keys before the next one are not for the line editor
        terminal.await(
                "a prompt below the table",
                () -> terminal.screen().text().stripTrailing().endsWith("\nhearth>"));
        assertTrue(terminal.screen().lines().size() <= 6, terminal.screen()::text);
    }

    @Test
    void endsACommandThatHangsByControlC() throws Exception {
        Path person = Files.createDirectory(scratch.resolve("patient person"));
        Path hangs = person.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", hangs.toString()).start().waitFor());
        try (PseudoTerminal terminal = shell(person)) {
            terminal.awaitOutput(PROMPT);
            terminal.type("x = kept\r");
            terminal.awaitOutput(PROMPT);
            terminal.type("threads > '" + hangs + "'\r"); // the pipe has no reader, so the command blocks on opening it
            terminal.awaitOutput("\u001b[?2004l"); // the line editor has handed the terminal to the command
            terminal.type(PseudoTerminal.CONTROL_C);
            terminal.awaitOutput("interrupted (expected: no interrupt before the commands have ended)");
            terminal.awaitOutput(PROMPT);
            terminal.type("help hearth:wh$x\r");
            terminal.awaitOutput("command 'hearth:whkept': unknown");
            terminal.awaitOutput(PROMPT);
            terminal.type(PseudoTerminal.CONTROL_D);
            assertEquals(2, terminal.status(), "that of the last line");
        }
    }

    @Test
    void connectsAgainWhenTheProcessOfItsCommandsHasRestarted() throws Exception {
        Path person = Files.createDirectory(scratch.resolve("remote person"));
        Launched.Ready first = installation.daemon("master", "--port", "0");
        String address = first.line().substring("hearth://".length());
        String prompt = "hearth@" + address + "\u001b[0m> ";
        try (PseudoTerminal terminal = shell(person, "--to", address)) {
            try (Launched master = first.process()) {
                terminal.awaitOutput(prompt);
                assertTrue(terminal.screen().text().contains(", role master at " + address + ", process "));
                terminal.type("log:tail -f -n 1\r");
                terminal.awaitOutput(" INFO "); // printed while the command runs
                terminal.type(PseudoTerminal.CONTROL_C);
                terminal.awaitOutput(prompt);
                terminal.type("log:tail -f -n 1\r");
                terminal.awaitOutput(" INFO ");
                Processes.kill(master.pid());
                terminal.awaitOutput("error: line 'log:tail -f -n 1': the connection was lost while it ran");
                terminal.awaitOutput("(connection lost; reconnecting, Ctrl-C ends the wait)");
            }
            String port = address.substring(address.lastIndexOf(':') + 1);
            try (Launched master = installation.daemon("master", "--port", port).process()) {
                terminal.awaitOutput("(reconnected)");
                terminal.awaitOutput(prompt);
                terminal.type("info | grep process\r");
                terminal.awaitScreen("process       " + master.pid());
                terminal.type("exit\r");
                assertEquals(0, terminal.status());
            }
        }
    }

    /** Starts a shell at a terminal of 40 by 100, for a user whose home is {@code home}. */
    private static PseudoTerminal shell(Path home, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin/hearth").toString(), "shell"));
        command.addAll(List.of(arguments));
        return PseudoTerminal.start(40, 100, scratch, Map.of("HOME", home.toString()), command);
    }
}
