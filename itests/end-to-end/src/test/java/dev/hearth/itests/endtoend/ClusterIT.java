package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Uses a standalone cluster of real processes and kills some of them. A test that kills a daemon has a cluster of its
 * own. After each test no process of the installations may run, apart from both daemons of the shared cluster.
 */
@Timeout(180)
class ClusterIT {
    private static final int PARTITIONS = 6;
    private static final String SUM = "sum is 55\n";
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Cluster shared;

    private final List<Installation> installations = new ArrayList<>(List.of(installation));
    private Cluster cluster = shared;
    private Gate gate;

    @BeforeAll
    static void startCluster() throws IOException {
        installation = Installation.in(scratch);
        shared = Cluster.start(installation);
    }

    @BeforeEach
    void openGate() throws IOException {
        gate = new Gate();
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        gate.close();
        if (cluster != shared) {
            cluster.close();
        }
        Processes.waitForTheEndOf(processes());
        assertEquals(List.of(), processes());
        assertTrue(shared.master().isAlive() && shared.worker().isAlive());
    }

    @AfterAll
    static void stopCluster() throws Exception {
        shared.close();
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
    }

    /** All processes of the installations, without the daemons of the shared cluster. */
    private List<ProcessHandle> processes() {
        Set<Long> daemons = Set.of(shared.master().pid(), shared.worker().pid());
        return installations.stream()
                .flatMap(each -> each.processes().stream())
                .filter(process -> !daemons.contains(process.pid()))
                .toList();
    }

    /** Starts a cluster for one test. */
    private void startOwnCluster() throws IOException {
        Installation own = Installation.in(Files.createTempDirectory(scratch, "own"));
        installations.add(own);
        cluster = Cluster.start(own);
    }

    @Test
    void runsAnApplicationInClusterModeAndTellsWhatHappens() throws Exception {
        startOwnCluster();
        try (Launched submit = submit(
                "--class", "dev.hearth.examples.Pi", installation.examples().toString(), "20")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().startsWith("Pi is roughly 3.1"), submit::output);
            assertTrue(Pattern.compile("""
                            Driver successfully submitted as (driver-\\d{14}-0000)
                            State of driver \\1 is now RUNNING\\.
                            Driver is running on worker worker-\\d{14}-127\\.0\\.0\\.1-(\\d+) at 127\\.0\\.0\\.1:\\2\\.
                            State of driver \\1 is now FINISHED\\.
                            """).matcher(submit.errors()).matches(), submit::errors);
        }
    }

    @Test
    void runsAnApplicationInClientMode() throws Exception {
        try (Launched submit = installation.submit(
                "--master",
                cluster.url(),
                "--executor-memory",
                "256m",
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "20")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().startsWith("Pi is roughly 3.1"), submit::output);
        }
    }

    @Test
    void tellsWhyADriverFailed() throws Exception {
        assertFails(
                1,
                "APPLICATION",
                "; application threw java.lang.IllegalStateException: boom, at ",
                "dev.hearth.examples.Fails",
                installation.examples());
        assertFails(1, "TASK", "element 3 is bad", "dev.hearth.examples.FailsInTask", installation.examples());
        assertFails(101, "CLASS", "; main class 'no.Such': not found in ", "no.Such", installation.examples());
        assertFails(
                42, "EXIT", "exit status 42", "dev.hearth.itests.endtoend.app.ExitsWith", installation.applications());
    }

    @Test
    void runsTheTasksOfAKilledExecutorElsewhere() throws Exception {
        try (Launched submit = submitGated()) {
            passDriver();
            Gate.Visitor task = gate.next();
            assertEquals("task", task.who());
            task.kill();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(SUM, submit.output());
        }
    }

    @Test
    void tellsWhyNoExecutorStays() throws Exception {
        Path jar = scratch.resolve("short-lived.jar");
        Files.copy(installation.applications(), jar);
        try (Launched submit = installation.submit(
                "--master",
                cluster.url(),
                "--executor-memory",
                "256m",
                "--class",
                GATED,
                jar.toString(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS))) {
            Gate.Visitor driver = gate.next();
            Files.delete(jar); // executors need the jar; the driver has already opened it
            driver.pass();
            assertEquals(1, submit.status(), submit::errors);
            String last =
                    submit.errors().lines().reduce((first, second) -> second).orElse("");
            assertTrue(last.contains("exit status 3") && last.contains("short-lived.jar"), submit::errors);
        }
    }

    @Test
    void tellsTheSubmitterThatItsDriverWasKilled() throws Exception {
        try (Launched submit = submitGated()) {
            Gate.Visitor driver = passDriver();
            gate.next();
            driver.kill();
            assertEquals(137, submit.status());
            assertTrue(submit.errors().contains(": FAILED, exit status 137"), submit::errors);
        }
    }

    @Test
    void endsWhatAKilledWorkerRanAndTellsTheSubmitter() throws Exception {
        startOwnCluster();
        try (Launched submit = submitGated()) {
            Gate.Visitor driver = passDriver();
            Gate.Visitor task = gate.next();
            cluster.worker().kill();
            assertEquals(1, submit.status());
            assertTrue(submit.errors().contains(": ERROR") && submit.errors().contains(" is lost: "), submit::errors);
            Processes.waitForTheEndOf(handles(driver.pid(), task.pid()));
        }
    }

    @Test
    void tellsTheSubmitterThatItsMasterWasKilledWhileTheDriverGoesOn() throws Exception {
        startOwnCluster();
        try (Launched submit = submit(
                "--conf",
                "hearth.standalone.submit.masterWait=0s",
                "--class",
                GATED,
                installation.applications().toString(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS))) {
            Gate.Visitor driver = passDriver();
            Gate.Visitor task = gate.next();
            cluster.master().kill();
            assertEquals(5, submit.status());
            assertTrue(
                    submit.errors().contains("error: submission: master " + cluster.url() + " is lost"),
                    submit::errors);
            List<ProcessHandle> running = handles(driver.pid(), task.pid());
            assertTrue(running.stream().allMatch(ProcessHandle::isAlive), () -> running + " (expected: alive)");
            task.pass();
            gate.open();
            Processes.waitForTheEndOf(running); // when the job is done
        }
    }

    @Test
    void letsADriverGoOnWithoutItsSubmitterAndTellsAboutItLater() throws Exception {
        String id;
        try (Launched submit = submitGated()) {
            passDriver();
            gate.next().pass();
            Matcher line = Pattern.compile("submitted as (\\S+)").matcher(submit.errors());
            assertTrue(line.find(), submit::errors);
            id = line.group(1);
            submit.kill();
        }
        gate.open();
        String last = "";
        for (int asked = 0;
                asked < 100 && !last.contains("FINISHED");
                asked++) { // each request starts a process, so poll slowly
            try (Launched status = installation.submit("--master", cluster.url(), "--status", id)) {
                assertEquals(0, status.status(), status::errors);
                last = status.output();
            }
        }
        assertTrue(last.startsWith(id + ": FINISHED"), last);
    }

    @Test
    void killsADriverWhenAsked() throws Exception {
        try (Launched submit = submitGated()) {
            passDriver();
            gate.next();
            Matcher line = Pattern.compile("submitted as (\\S+)").matcher(submit.errors());
            assertTrue(line.find(), submit::errors);
            String question = "status " + line.group(1) + " " + cluster.url() + " --json";
            try (Launched shell = installation.hearth("exec", question)) {
                assertEquals(0, shell.status(), shell::errors);
                assertTrue(shell.output().contains("\"state\":\"running\""), shell::output);
                assertTrue(
                        shell.output().contains("/logPage/?driverId=" + line.group(1) + "&logType=stdout\""),
                        shell::output);
            }
            try (Launched kill = installation.submit("--master", cluster.url(), "--kill", line.group(1))) {
                assertEquals(0, kill.status(), kill::errors);
            }
            assertEquals(8, submit.status(), submit::errors);
        }
    }

    @Test
    void knowsNoStrangers() throws Exception {
        try (Launched status = installation.submit("--master", cluster.url(), "--status", "driver-0")) {
            assertEquals(6, status.status());
            assertTrue(status.errors().startsWith("error: submission driver-0: not known"), status::errors);
            assertTrue(
                    status.errors().endsWith(" within hearth.deploy.retainedTime)\n"),
                    status::errors); // nothing about the message
        }
        try (Launched kill = installation.hearth("exec", "hearth:kill driver-0 " + cluster.url())) {
            assertEquals(6, kill.status());
            assertTrue(kill.errors().startsWith("error: submission driver-0: not known"), kill::errors);
        }
    }

    @Test
    void showsWhatItRunsOnTheShellOfItsMaster() throws Exception {
        String master = cluster.url().substring("hearth://".length());
        try (Launched submit = submitGated()) {
            passDriver();
            gate.next();
            String lists = "workers --json; applications --state running --json; executors --json; drivers --json";
            String application;
            try (Launched exec = installation.hearth("exec", "--to", master, "--command", lists)) {
                assertEquals(0, exec.status(), exec::errors);
                String shown = exec.output();
                Matcher running = Pattern.compile("\"application\":\"(app-\\d{14}-\\d{4})\",\"name\":")
                        .matcher(shown);
                assertTrue(running.find(), shown);
                application = running.group(1);
                assertTrue(shown.contains("\"state\":\"alive\",\"coresUsed\":2,\"cores\":2,"), shown);
                assertTrue(shown.contains("\"user\":\"" + System.getProperty("user.name") + "\""), shown);
                assertTrue(shown.contains("{\"application\":\"" + application + "\",\"executor\":\"0\""), shown);
                assertTrue(shown.contains("\"mainClass\":\"" + GATED + "\""), shown);
            }
            HttpRequest json = HttpRequest.newBuilder(URI.create("http://" + master + "/json/"))
                    .build();
            String state = HttpClient.newHttpClient()
                    .send(json, HttpResponse.BodyHandlers.ofString())
                    .body();
            assertTrue(state.startsWith("{\"url\":\"" + cluster.url() + "\",\"workers\":[{\"id\":\"worker-"), state);
            try (Launched kill = installation.hearth("exec", "--to", master, "kill", application)) {
                assertEquals(0, kill.status(), kill::errors);
                assertEquals(application + ": was RUNNING; kill requested\n", kill.output());
            }
            assertEquals(8, submit.status(), submit::errors);
            try (Launched status = installation.hearth("exec", "status", application, "--master", cluster.url())) {
                assertEquals(0, status.status(), status::errors);
                assertTrue(status.output().contains("killed"), status::output);
            }
        }
    }

    private Launched submit(String... rest) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--master",
                cluster.url(),
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m"));
        arguments.addAll(List.of(rest));
        return installation.submit(arguments.toArray(String[]::new));
    }

    private Launched submitGated() throws IOException {
        return submit(
                "--class",
                GATED,
                installation.applications().toString(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS));
    }

    private Gate.Visitor passDriver() throws Exception {
        Gate.Visitor driver = gate.next();
        assertEquals("driver", driver.who());
        driver.pass();
        return driver;
    }

    private void assertFails(int status, String what, String message, String main, Path jar) throws Exception {
        try (Launched submit = submit("--class", main, jar.toString(), "42")) {
            assertEquals(status, submit.status(), () -> what + ": " + submit.errors());
            List<String> errors = submit.errors()
                    .lines()
                    .filter(line -> line.startsWith("error: "))
                    .toList();
            assertEquals(1, errors.size(), () -> what + ": " + submit.errors());
            assertTrue(errors.get(0).contains(message), () -> what + ": " + submit.errors());
        }
    }

    private static List<ProcessHandle> handles(long... pids) {
        return Arrays.stream(pids)
                .mapToObj(ProcessHandle::of)
                .flatMap(Optional::stream)
                .toList();
    }
}
