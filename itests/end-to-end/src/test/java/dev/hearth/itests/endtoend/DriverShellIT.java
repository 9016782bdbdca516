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
    private static final Duration BOUND = Duration.ofSeconds(30);

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
                Launched submit = submit(gate, "--verbose", "--driver-java-options", "-Xlog:class+load:file=" + classes)) {
            gate.next();
            List<String> named = named(submit);
            assertFalse(hasShell(classes), "no class of the shell before the first command");
            assertFalse(submit.errors().contains("hearth-shell-gogo"));
            String id = named.get(0);
            String jobs = answer("exec", "--to", id, "--master", cluster.url(), "jobs", "--json");
            assertTrue(jobs.contains("\"job\":0,\"state\":\"running\""), jobs);
            assertTrue(jobs.contains("\"tasksRunning\":2,") && jobs.contains("\"tookMillis\":null"), jobs);
            assertTrue(hasShell(classes));
            String port = named.get(1);
            String tasks = answer("exec", "--to", port, "-c", "tasks 0 --running", "-c", "executors", "-c", "threads");
            assertTrue(tasks.contains("running") && tasks.contains("active") && tasks.contains("driver-loop"), tasks);
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
            String id = named(submit).get(0);
            try (Launched logs = hearth("logs", id, "0", "-f", "--stdout", "--master", cluster.url())) {
                Eventually.until("it prints", () -> logs.output().contains(" waits\n"), BOUND, logs::errors);
                gate.open();
                first.pass();
                assertEquals(0, submit.status(), submit::errors);
                assertEquals(0, logs.status(), logs::errors);
                List<String> lines = logs.output().lines().sorted().toList();
                assertEquals(
                        List.of("task 0 has passed", "task 0 waits", "task 1 has passed", "task 1 waits"), lines);
            }
            String last = answer("logs", id, "0", "-n", "1", "--stdout", "--master", cluster.url());
            assertTrue(last.matches("task [01] has passed\n"), last);
            assertRefused(2, "application " + id + ": its driver", "logs", id, "--master", cluster.url());
            assertRefused(2, "application " + id + ": FINISHED", "exec", "--to", id, "--master", cluster.url(), "jobs");
        }
    }

    @Test
    void saysInWordsWhatItCannotFind() throws Exception {
        assertRefused(
                2,
                "'nobody': no application or driver of this cluster",
                "exec",
                "--to",
                "nobody",
                "--master",
                cluster.url(),
                "jobs");
        assertRefused(2, "no master (expected: --master URL", "exec", "--to", "app-1", "jobs");
        assertRefused(6, "log of executor 0 of app-1: no worker of this cluster", "logs", "app-1", "0", "--master", cluster.url());
        assertRefused(4, "127.0.0.1:1: connection refused", "logs", "app-1", "0", "--master", "hearth://127.0.0.1:1");
        String master = cluster.url().substring(cluster.url().lastIndexOf('/') + 1);
        assertRefused(1, "no application runs in this process", "exec", "--to", master, "jobs");
    }

    private static Launched submit(Gate gate, String... flags) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(flags));
        arguments.addAll(List.of(
                "--master",
                cluster.url(),
                "--class",
                GatedPrints.class.getName(),
                installation.applications().toString(),
                String.valueOf(gate.port()),
                "2"));
        return installation.submit(arguments.toArray(String[]::new));
    }

    /** The id of the application and the address of its driver, which --verbose shows. */
    private static List<String> named(Launched submit) {
        Matcher found = ADDRESS.matcher(submit.errors());
        assertTrue(found.find(), submit::errors);
        return List.of(found.group(1), found.group(2));
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

    private static void assertRefused(int status, String part, String... arguments) throws Exception {
        try (Launched exec = hearth(arguments)) {
            assertEquals(status, exec.status(), () -> exec.output() + exec.errors());
            assertTrue(exec.errors().contains(part), exec::errors);
        }
    }

    private static Launched hearth(String... arguments) throws IOException {
        return installation.hearth(arguments);
    }
}
