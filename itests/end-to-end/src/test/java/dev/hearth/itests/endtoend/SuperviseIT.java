package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills supervised drivers and a worker, as processes: the driver starts again under its id, and stays killed when killed. */
class SuperviseIT {
    private static final String SUPERVISE = "--supervise";
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final int PARTITIONS = 2;

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Cluster cluster;

    private Gate gate;

    @BeforeAll
    static void startCluster() throws IOException {
        installation = Installation.in(scratch);
        cluster = Cluster.start(installation, "--conf", "hearth.worker.timeout=6s");
    }

    @BeforeEach
    void openGate() throws IOException {
        gate = new Gate();
    }

    @AfterEach
    void closeGate() throws IOException {
        gate.close();
    }

    @AfterAll
    static void stopCluster() throws Exception {
        cluster.close();
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void startsAKilledDriverAgainUnderItsIdUntilItSucceeds() throws Exception {
        try (Launched submit = submitGated()) {
            Gate.Visitor first = driver();
            first.pass();
            String id = id(submit);
            gate.next(); // a task of the first application
            first.kill();
            Gate.Visitor second = driver();
            assertNotEquals(first.pid(), second.pid());
            String line = status(id);
            assertTrue(
                    line.contains(": RUNNING on worker ")
                            && line.contains(", attempt 2; started again after 1 failure;"
                                    + " attempt 1 has ended: exit status 137 (killed by SIGKILL)"),
                    line);
            String json = status(id, "--json");
            assertTrue(json.contains("\"attempt\":2,") && json.contains("\"state\":\"RUNNING\""), json);
            gate.open();
            second.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().endsWith("sum is 1\n"), submit::output);
            assertTrue(
                    Pattern.compile(
                                    "is now RUNNING\\..*is now RELAUNCHING\\..*starts again in 1 s.*is now"
                                            + " RUNNING\\..*is now FINISHED\\.",
                                    Pattern.DOTALL)
                            .matcher(submit.errors())
                            .find(),
                    submit::errors);
            assertTrue(status(id).startsWith(id + ": FINISHED"), () -> "the same id");
            for (String attempt : List.of("attempt-1", "attempt-2")) {
                assertTrue(
                        Files.isDirectory(scratch.resolve("work").resolve(id).resolve(attempt + "/unpacked")), attempt);
            }
            String master = cluster.url().replace("hearth://", "");
            try (Launched applications = installation.hearth("exec", "--to", master, "applications")) {
                assertEquals(0, applications.status(), applications::errors);
                assertTrue(applications.output().contains("failed"), applications::output);
                assertTrue(applications.output().contains("finished"), applications::output);
            }
        }
    }

    @Test
    void endsADriverForGoodWhenItIsKilled() throws Exception {
        try (Launched submit = submitGated()) {
            Gate.Visitor driver = driver();
            ProcessHandle process = ProcessHandle.of(driver.pid()).orElseThrow();
            kill(id(submit));
            assertEquals(8, submit.status(), submit::errors);
            assertFalse(submit.errors().contains("RELAUNCHING"), submit::errors);
            Processes.waitForTheEndOf(List.of(process));
        }
    }

    @Test
    void endsADriverForGoodThatIsKilledWhileItWaitsForItsNextStart() throws Exception {
        try (Launched submit = submit(SUPERVISE, "--class", app("ExitsWith"), jar(), "7")) {
            Eventually.until(
                    "the driver waits for seconds",
                    () -> submit.errors().contains("starts again in 8 s"),
                    BOUND,
                    submit::errors);
            String id = id(submit);
            kill(id);
            assertEquals(8, submit.status(), submit::errors);
            assertTrue(status(id).contains("KILLED"), () -> "as the last state");
            try (Launched log =
                    installation.hearth("exec", "--to", cluster.url().replace("hearth://", ""), "drivers", "--json")) {
                assertEquals(0, log.status(), log::errors);
                // later than the fourth if the kill took longer than the wait
                assertTrue(log.output().matches("(?s).*\"attempt\":[4-9].*"), log::output);
            }
        }
    }

    @Test
    void failsAfterAsManyRestartsAsAreAllowed() throws Exception {
        try (Launched submit = submit(
                SUPERVISE, "--conf", "spark.driver.supervise.maxRestarts=1", "--class", app("ExitsWith"), jar(), "3")) {
            assertEquals(3, submit.status(), submit::errors);
            assertTrue(
                    submit.errors().contains("not restarted, as hearth.driver.supervise.maxRestarts allows 1 restart"),
                    submit::errors);
            assertTrue(status(id(submit)).contains("FAILED"), () -> "as the last state");
        }
    }

    @Test
    void startsTheDriverOfAKilledWorkerOnAnotherOne() throws Exception {
        String more = installation.scratch().resolve("more-work").toString();
        Launched.Ready other =
                installation.daemon("worker", "--cores", "4", "--memory", "2g", "--work-dir", more, cluster.url());
        try (Launched submit = submitGated()) {
            Gate.Visitor first = driver(); // on the worker with the most free cores
            ProcessHandle process = ProcessHandle.of(first.pid()).orElseThrow();
            assertEquals(other.process().pid(), ancestor(process), "runs on the worker to kill");
            other.process().kill();
            Processes.waitForTheEndOf(List.of(process));
            Gate.Visitor second = driver();
            assertEquals(
                    cluster.worker().pid(),
                    ancestor(ProcessHandle.of(second.pid()).orElseThrow()));
            String line = status(id(submit));
            assertTrue(line.contains(", attempt 2; started again; attempt 1 has ended: worker "), line);
            gate.open();
            second.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(
                    Pattern.compile(
                                    "is now RUNNING\\..*is now RELAUNCHING\\..*is now SUBMITTED\\..*is now"
                                            + " RUNNING\\..*is now FINISHED\\.",
                                    Pattern.DOTALL)
                            .matcher(submit.errors())
                            .find(),
                    submit::errors);
        } finally {
            other.process().close();
        }
    }

    @Test
    void supervisesDriversThatAreSubmittedByRest() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        String base = cluster.url().replace("hearth://", "http://") + "/v1/submissions/";
        String body = """
                {"action": "CreateSubmissionRequest", "clientSparkVersion": "4.2.0", "appResource": "%s",
                 "mainClass": "%s", "appArgs": ["9"], "environmentVariables": {},
                 "sparkProperties": {"spark.master": "spark://h:7077", "spark.driver.memory": "128m",
                   "spark.driver.supervise": "true", "spark.submit.deployMode": "cluster"}}
                """.formatted(installation.applications().toUri(), app("ExitsWith"));
        String created = send(
                client,
                HttpRequest.newBuilder(URI.create(base + "create"))
                        .header("Content-Type", "application/json;charset=UTF-8")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
        Matcher id = Pattern.compile("\"submissionId\" : \"([^\"]+)\"").matcher(created);
        assertTrue(id.find(), created);
        HttpRequest.Builder status = HttpRequest.newBuilder(URI.create(base + "status/" + id.group(1)));
        awaitState(client, status, "RELAUNCHING");
        send(
                client,
                HttpRequest.newBuilder(URI.create(base + "kill/" + id.group(1)))
                        .POST(HttpRequest.BodyPublishers.noBody()));
        awaitState(client, status, "KILLED");
    }

    private static void awaitState(HttpClient client, HttpRequest.Builder status, String state) {
        Eventually.until(
                "the driver is " + state,
                () -> send(client, status).contains("\"driverState\" : \"" + state + "\""),
                BOUND,
                () -> cluster.master().errors());
    }

    private static String send(HttpClient client, HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(request + ": " + failure, failure);
        }
    }

    private Launched submitGated() throws IOException {
        return submit(
                SUPERVISE,
                "--archives",
                jar() + "#unpacked", // by each attempt again
                "--class",
                app("GatedSum"),
                jar(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS));
    }

    private static Launched submit(String... rest) throws IOException {
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

    private static String app(String name) {
        return "dev.hearth.itests.endtoend.app." + name;
    }

    private static String jar() {
        return installation.applications().toString();
    }

    /** The next driver at the gate; tasks of earlier attempts may be there before. */
    private Gate.Visitor driver() throws InterruptedException {
        Gate.Visitor visitor = gate.next();
        while (!visitor.who().equals("driver")) {
            visitor = gate.next();
        }
        return visitor;
    }

    private static String id(Launched submit) {
        Matcher line = Pattern.compile("submitted as (\\S+)").matcher(submit.errors());
        assertTrue(line.find(), submit::errors);
        return line.group(1);
    }

    private static String status(String id, String... more) throws Exception {
        String[] words = Stream.concat(Stream.of("--master", cluster.url(), "--status", id), Stream.of(more))
                .toArray(String[]::new);
        try (Launched status = installation.submit(words)) {
            assertEquals(0, status.status(), status::errors);
            return status.output();
        }
    }

    private static void kill(String id) throws Exception {
        try (Launched kill = installation.submit("--master", cluster.url(), "--kill", id)) {
            assertEquals(0, kill.status(), kill::errors);
        }
    }

    /** The process id of the worker that has started {@code driver}. */
    private static long ancestor(ProcessHandle driver) {
        return driver.parent().map(ProcessHandle::pid).orElse(0L);
    }
}
