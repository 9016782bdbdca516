package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.GatedPrints;
import dev.hearth.itests.endtoend.app.GatedSum;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** bin/submit at a pseudo terminal, as its user sees it. */
@Timeout(120)
class SubmitTerminalIT {
    private static final Pattern BAR = Pattern.compile("\\[Stage 0.*]");

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
    }

    @Test
    void saysOnControlCWhatGoesOnAndKillsItOnTheSecond() throws Exception {
        try (Gate gate = new Gate();
                Cluster cluster = Cluster.start(installation);
                PseudoTerminal terminal = submit(
                        160,
                        GatedSum.class,
                        gate,
                        "--master",
                        cluster.url(),
                        "--deploy-mode",
                        "cluster",
                        "--driver-memory",
                        "256m",
                        "--executor-memory",
                        "256m")) {
            Gate.Visitor driver = gate.next();
            terminal.awaitScreen("Driver is running on worker");
            terminal.type(PseudoTerminal.CONTROL_C);
            terminal.awaitScreen("press Ctrl-C again within 3 s to end it now");
            Matcher told = Pattern.compile("\\^C\n(driver-\\S+) runs on; end it with: bin/submit --master "
                            + Pattern.quote(cluster.url()) + " --kill (driver-\\S+)\n")
                    .matcher(terminal.screen().text());
            assertTrue(told.find(), terminal.screen()::text);
            assertEquals(told.group(1), told.group(2));
            terminal.type(PseudoTerminal.CONTROL_C);
            terminal.awaitScreen(told.group(1) + ": was RUNNING; kill requested");
            assertEquals(130, terminal.status());
            Processes.waitForTheEndOf(ProcessHandle.of(driver.pid()).stream().toList());
        }
    }

    @Test
    void drawsProgressAsWideAsTheTerminalAndClearsItForOtherOutput() throws Exception {
        try (Gate gate = new Gate();
                PseudoTerminal terminal = submit(100, GatedPrints.class, gate, "--master", "local[2]")) {
            Gate.Visitor first = gate.next();
            terminal.awaitScreen("(0 + 2) / 4]");
            String bar = bar(terminal);
            assertTrue(bar.matches("\\[Stage 0: reduce at GatedPrints\\.java:\\d+ >? +\\(0 \\+ 2\\) / 4]"), bar);
            assertEquals(99, bar.length());
            terminal.resize(24, 60);
            terminal.await(
                    "the bar is as wide as the terminal", () -> bar(terminal).length() == 59);
            first.pass();
            terminal.await("a task prints", () -> terminal.screen().text().contains(" has passed\n"));
            gate.open();
            assertEquals(0, terminal.status());
            assertEquals("4 tasks", last(terminal.screen().lines()));
            List<String> lines = new ArrayList<>(terminal.screen().lines());
            lines.removeIf(line -> line.matches("task \\d (waits|has passed)|4 tasks"));
            assertEquals(List.of(), lines, "lines that are whole, and none of the bar");
        }
    }

    @Test
    void saysWhereShellsReachALocalClusterAndWhatTheyFindThere() throws Exception {
        try (Gate gate = new Gate();
                PseudoTerminal terminal = submit(200, GatedPrints.class, gate, "--master", "local-cluster[1,2,512]")) {
            terminal.awaitScreen(", where a shell may connect");
            Matcher told = Pattern.compile("application (\\S+): its driver is at (\\S+),")
                    .matcher(terminal.screen().text());
            assertTrue(told.find(), terminal.screen()::text);
            Gate.Visitor task = gate.next();
            String id = told.group(1);
            String question = "workers --json; applications --json; executors --state running; drivers --json;"
                    + " logs " + id + " 0 --stdout";
            try (Launched exec = installation.hearth("exec", "--to", told.group(2), "--command", question)) {
                assertEquals(0, exec.status(), exec::errors);
                String shown = exec.output();
                assertTrue(shown.contains("\"state\":\"alive\",\"coresUsed\":2,\"cores\":2,"), shown);
                assertTrue(shown.contains("{\"application\":\"" + id + "\",\"name\":\"gated prints\","), shown);
                assertTrue(Pattern.compile(id + " +0 .*running").matcher(shown).find(), shown);
                assertTrue(
                        shown.contains("[]\n")
                                && Pattern.compile("task \\d waits\n")
                                        .matcher(shown)
                                        .find(),
                        shown);
            }
            gate.open();
            task.pass();
            assertEquals(0, terminal.status());
            assertFalse(terminal.screen().text().contains("[Stage"), terminal.screen()::text);
            assertTrue(terminal.screen().text().endsWith("\n4 tasks"), terminal.screen()::text);
        }
    }

    private static String bar(PseudoTerminal terminal) {
        List<String> bars = terminal.screen().lines().stream()
                .filter(line -> BAR.matcher(line).find())
                .toList();
        assertTrue(bars.size() <= 1, terminal.screen()::text);
        return bars.isEmpty() ? "" : bars.get(0);
    }

    private static String last(List<String> lines) {
        return lines.get(lines.size() - 1);
    }

    /** Submits {@code application} with 4 tasks at a terminal of 24 by {@code columns}. */
    private static PseudoTerminal submit(int columns, Class<?> application, Gate gate, String... flags)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin/submit").toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of(
                "--class",
                application.getName(),
                installation.applications().toString(),
                String.valueOf(gate.port()),
                "4"));
        return PseudoTerminal.start(24, columns, scratch, Map.of(), command);
    }
}
