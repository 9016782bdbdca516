package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.GatedPrints;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell of a driver and the logs of executors, found through the master of a cluster. */
@Timeout(120)
class DriverShellIT {
    private static final Pattern ADDRESS =
            Pattern.compile("application (\\S+): its driver is at (\\S+), where a shell may connect");
    private static final String CLEAR = Pattern.quote("\u001b[H\u001b[J");
    private static final Duration BOUND = Duration.ofMinutes(3);

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws IOException {
        installation = Installation.in(scratch);
        cluster = Cluster.start(installation);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void showsAndCancelsAJobOfADriverThatLoadedNoShellBefore() throws Exception {
        Path classes = scratch.resolve("classes.txt");
        try (Gate gate = new Gate();
                Launched submit =
                        submit(gate, "--verbose", "--driver-java-options", "-Xlog:class+load:file=" + classes)) {
            gate.next();
            String id = application(submit);
            assertFalse(hasShell(classes), "no class of the shell before the first command");
            String shown = answer(
                    "exec",
                    "--to",
                    id,
                    "--master",
                    cluster.url(),
                    "-c",
                    "jobs --json",
                    "-c",
                    "tasks 0 --running",
                    "-c",
                    "executors",
                    "-c",
                    "threads");
            assertTrue(shown.contains("\"job\":0,\"state\":\"running\""), shown);
            assertTrue(shown.contains("\"tasksRunning\":2,") && shown.contains("\"tookMillis\":null"), shown);
            assertTrue(shown.contains("no_pref") && shown.contains("active") && shown.contains("driver-loop"), shown);
            assertTrue(hasShell(classes));
            String beginning = id.substring(0, id.length() - 1) + "@" + cluster.url();
            answer("exec", "--to", beginning, "cancel", "job", "0", "seen enough");
            assertNotEquals(0, submit.status());
            assertTrue(submit.errors().contains("seen enough"), submit::errors);
        }
    }

    @Test
    void followsTheOutputOfAnExecutorUntilItsEnd() throws Exception {
        try (Gate gate = new Gate();
                Launched submit = submit(gate, "--verbose")) {
            Gate.Visitor first = gate.next();
            String id = application(submit);
            try (Launched logs = hearth("logs", id, "0", "-f", "--stdout", "--master", cluster.url())) {
                Eventually.until("it prints", () -> logs.output().contains(" waits\n"), BOUND, logs::errors);
                gate.open();
                first.pass();
                assertEquals(0, submit.status(), submit::errors);
                assertEquals(0, logs.status(), logs::errors);
                List<String> lines = logs.output().lines().sorted().toList();
                assertEquals(List.of("task 0 has passed", "task 0 waits", "task 1 has passed", "task 1 waits"), lines);
            }
            String master = " --master " + cluster.url();
            try (Launched ended = hearth(
                    "exec", "-k", "-c", "logs " + id + " 0 -n 1 --stdout" + master, "-c", "logs " + id + master)) {
                assertEquals(2, ended.status());
                assertTrue(ended.output().matches("task [01] has passed\n"), ended::output);
                assertTrue(ended.errors().contains("application " + id + ": its driver"), ended::errors);
            }
        }
    }

    @Test
    void saysInWordsWhatItCannotFind() throws Exception {
        try (Launched exec = hearth("exec", "--to", "nobody", "--master", cluster.url(), "jobs")) {
            assertEquals(2, exec.status());
            assertTrue(exec.errors().contains("'nobody': no application or driver of this cluster"), exec::errors);
        }
        String unknown = "logs app-1 0 --master " + cluster.url();
        try (Launched logs = hearth("exec", "-k", "-c", unknown, "-c", "logs app-1 0 --master hearth://127.0.0.1:1")) {
            assertEquals(4, logs.status());
            assertTrue(logs.errors().contains("log of executor 0 of app-1: no worker of this cluster"), logs::errors);
            assertTrue(logs.errors().contains("127.0.0.1:1: connection refused"), logs::errors);
        }
    }

    @Test
    void redrawsAListOfTheClusterAsWideAsTheTerminal() throws Exception {
        String master = cluster.url().substring("hearth://".length());
        List<String> command = List.of(
                installation.home().resolve("bin/hearth").toString(), "exec", "--to", master, "workers", "--watch");
        try (PseudoTerminal terminal = PseudoTerminal.start(24, 160, scratch, Map.of(), command)) {
            terminal.await("a third table", () -> terminal.output().split(CLEAR, -1).length > 3);
            terminal.awaitScreen("alive");
            assertEquals(2, terminal.screen().lines().size(), terminal.screen()::text);
            terminal.resize(24, 60);
            terminal.await(
                    "a row on several lines", () -> terminal.screen().lines().size() > 2);
            terminal.type(PseudoTerminal.CONTROL_C);
            assertEquals(130, terminal.status());
        }
    }

    private static Launched submit(Gate gate, String... flags) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(flags));
        arguments.addAll(List.of(
                "--master",
                cluster.url(),
                "--executor-memory",
                "512m",
                "--class",
                GatedPrints.class.getName(),
                installation.applications().toString(),
                String.valueOf(gate.port()),
                "2"));
        return installation.submit(arguments.toArray(String[]::new));
    }

    /** The id of the application, which --verbose shows with the address of its driver. */
    private static String application(Launched submit) {
        Matcher found = ADDRESS.matcher(submit.errors());
        assertTrue(found.find(), submit::errors);
        return found.group(1);
    }

    private static boolean hasShell(Path classes) throws IOException {
        String loaded = Files.readString(classes);
        return loaded.contains(" org.apache.felix.gogo.")
                || loaded.contains(" dev.hearth.shell.gogo.")
                || loaded.contains(" dev.hearth.remoteshell.");
    }

    private static String answer(String... arguments) throws Exception {
        try (Launched exec = hearth(arguments)) {
            assertEquals(0, exec.status(), () -> exec.output() + exec.errors());
            return exec.output();
        }
    }

    private static Launched hearth(String... arguments) throws IOException {
        return installation.hearth(arguments);
    }
}
