package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The spark-submit of Spark 4.2 with our master, our scripts with a master of Spark, and a REST client of a third party. */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.field", matches = "true")
class SparkClientsFieldIT {
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Pattern ID = Pattern.compile("driver-\\d{14}-\\d{4}");

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static ForeignClients clients;
    private static RestCluster cluster;
    private Gate gate;

    @BeforeAll
    static void install() throws IOException {
        installation = Installation.in(scratch);
        clients = ForeignClients.in(scratch);
        cluster = RestCluster.start(installation);
    }

    @AfterAll
    static void leaveNothing() throws InterruptedException {
        if (cluster != null) {
            cluster.close();
            Processes.waitForTheEndOf(installation.processes());
        }
    }

    @BeforeEach
    void open() throws IOException {
        gate = new Gate();
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
    }

    @Test
    void submitsAsksAndKillsByTheScriptOfSpark() throws Exception {
        String log = log(submit(cluster.spark()));
        assertTrue(log.contains("Submission successfully created as "), log);
        assertTrue(
                Pattern.compile("State of driver driver-\\S+ is now (SUBMITTED|RUNNING)\\.")
                        .matcher(log)
                        .find(),
                log);
        String id = id(log);

        gate.next().pass();
        gate.next().pass();
        assertTrue(
                Pattern.compile("Driver is running on worker worker-\\S+ at 127\\.0\\.0\\.1:\\d+\\.|now SUBMITTED")
                        .matcher(log)
                        .find(),
                log);
        awaitState(id, "FINISHED");

        String other = id(log(submit(cluster.spark())));
        gate.next();
        Launched kill = clients.sparkSubmit("--master", cluster.spark(), "--kill", other);
        assertEquals(0, kill.status(), kill::errors);
        assertTrue(kill.errors().contains("Kill request for " + other + " submitted"), kill::errors);
        awaitState(other, "KILLED");
    }

    @Test
    void usesTheSecondMasterIfTheFirstOneIsDead() throws Exception {
        Launched created = submit("spark://127.0.0.1:1,127.0.0.1:" + cluster.port());

        String log = log(created);
        assertTrue(log.contains("Unable to connect to server spark://127.0.0.1:1"), log);
        String id = id(log);
        gate.next().pass();
        gate.next().pass();
        awaitState(id, "FINISHED");
    }

    @Test
    void failsAtOnceWithoutTheProtocol() throws Exception {
        Launched refused = clients.sparkSubmit(
                "--master",
                cluster.own(),
                "--deploy-mode",
                "cluster",
                "--class",
                GATED,
                "local:" + installation.applications());

        assertNotEquals(0, refused.status(), refused::errors);
    }

    @Test
    void servesALibraryForSubmissionsByHttp() throws Exception {
        Launched run = clients.program(
                "SubmitsByRestClient",
                ForeignClients.everything(),
                String.valueOf(cluster.port()),
                "run",
                installation.applications().toString(),
                GATED,
                String.valueOf(gate.port()),
                "1");
        gate.next().pass();
        gate.next().pass();
        assertEquals(0, run.status(), run::errors);
        List<String> lines = run.output().lines().toList();
        assertEquals("FINISHED", lines.get(lines.size() - 2), run::output);
        assertTrue(lines.get(lines.size() - 1).startsWith("127.0.0.1:"), run::output);

        Launched kill = clients.program(
                "SubmitsByRestClient",
                ForeignClients.everything(),
                String.valueOf(cluster.port()),
                "kill",
                installation.applications().toString(),
                GATED,
                String.valueOf(gate.port()),
                "1");
        assertEquals(0, kill.status(), kill::errors);
        assertTrue(kill.output().lines().toList().containsAll(List.of("killed true", "KILLED")), kill::output);
    }

    @Test
    void ourScriptsSubmitToAMasterOfSpark() throws Exception {
        int rest = FreePort.draw();
        int rpc = FreePort.draw();
        try (Launched master = clients.sparkClass(masterOfSpark(rpc, rest));
                Launched worker = clients.sparkClass(workerOfSpark(rpc))) {
            Eventually.until(
                    "the worker has registered",
                    () -> worker.errors().contains("Successfully registered with master"),
                    BOUND,
                    () -> master.errors() + worker.errors());
            String url = "spark://127.0.0.1:" + rest;
            Launched submitted = installation.submit(
                    "--master",
                    url,
                    "--deploy-mode",
                    "cluster",
                    "--driver-memory",
                    "512m",
                    "--class",
                    "dev.hearth.itests.endtoend.app.ExitsWith",
                    installation.applications().toString(), // the workers of Spark fetch no local: jar
                    "0");
            assertEquals(0, submitted.status(), submitted::errors);
            String id = id(submitted.errors() + submitted.output());
            Launched status = Launched.start(
                    scratch,
                    List.of(
                            installation.home().resolve("bin/spark-submit").toString(),
                            "--master",
                            url,
                            "--status",
                            id));
            assertEquals(0, status.status(), status::errors);
            assertTrue(status.output().contains("\"driverState\" : \"FINISHED\""), status::output);
        }
    }

    private static String[] masterOfSpark(int rpc, int rest) throws IOException {
        Path properties = Files.writeString(
                scratch.resolve("master.conf"),
                "spark.master.rest.enabled true\nspark.master.rest.port " + rest
                        + "\nspark.master.rest.host 127.0.0.1\n");
        return new String[] {
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            String.valueOf(rpc),
            "--webui-port",
            "0",
            "--properties-file",
            properties.toString()
        };
    }

    private static String[] workerOfSpark(int rpc) {
        return new String[] {
            "org.apache.spark.deploy.worker.Worker",
            "--host",
            "127.0.0.1",
            "--webui-port",
            "0",
            "--cores",
            "1",
            "--memory",
            "2g",
            "spark://127.0.0.1:" + rpc
        };
    }

    private Launched submit(String master) throws IOException {
        return clients.sparkSubmit(
                "--master",
                master,
                "--deploy-mode",
                "cluster",
                "--conf",
                "spark.master.rest.enabled=true",
                "--driver-memory",
                "512m",
                "--class",
                GATED,
                "local:" + installation.applications(),
                String.valueOf(gate.port()),
                "1");
    }

    /** Asks by the script of Spark until the driver has that state. */
    private static void awaitState(String id, String state) throws Exception {
        Matcher found;
        do {
            Launched status = clients.sparkSubmit("--master", cluster.spark(), "--status", id);
            assertEquals(0, status.status(), status::errors);
            found = Pattern.compile("\"driverState\" : \"(\\w+)\"").matcher(status.errors());
            assertTrue(found.find(), status::errors);
        } while (List.of("SUBMITTED", "RUNNING").contains(found.group(1)));
        assertEquals(state, found.group(1));
    }

    private static String log(Launched created) throws InterruptedException {
        assertEquals(0, created.status(), created::errors);
        return created.errors();
    }

    private static String id(String text) {
        Matcher id = ID.matcher(text);
        assertTrue(id.find(), text);
        return id.group();
    }
}
