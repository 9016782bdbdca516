package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The requests by curl on Spark's page about standalone clusters, with answers that are equal up to ids and version. */
@Timeout(300)
@EnabledIfSystemProperty(named = "hearth.field", matches = "true")
class CurlTranscriptsFieldIT {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Pattern ID = Pattern.compile("driver-\\d{14}-\\d{4}");

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static RestCluster cluster;

    @BeforeAll
    static void install() throws IOException {
        installation = Installation.in(scratch);
        cluster = RestCluster.start(installation);
    }

    @AfterAll
    static void leaveNothing() throws InterruptedException {
        if (cluster != null) {
            cluster.close();
            Processes.waitForTheEndOf(installation.processes());
        }
    }

    @Test
    void answersAsOnThePageOfSpark() throws Exception {
        assertEquals("""
                {
                  "action" : "ReadyzResponse",
                  "message" : "",
                  "serverSparkVersion" : "V",
                  "success" : true
                }""", masked(get("readyz")));
        followAndKillADriver();
        assertEquals("""
                {
                  "action" : "KillAllSubmissionResponse",
                  "message" : "Kill request for all drivers submitted",
                  "serverSparkVersion" : "V",
                  "success" : true
                }""", masked(post("killall")));
        assertEquals("""
                {
                  "action" : "ClearResponse",
                  "message" : "",
                  "serverSparkVersion" : "V",
                  "success" : true
                }""", masked(post("clear")));
    }

    private static void followAndKillADriver() throws Exception {
        try (Gate gate = new Gate()) {
            String created = create(gate, "\"spark.driver.cores\": \"1\", \"spark.jars\": \"\"");
            assertEquals("""
                    {
                      "action" : "CreateSubmissionResponse",
                      "message" : "Driver successfully submitted as ID",
                      "serverSparkVersion" : "V",
                      "submissionId" : "ID",
                      "success" : true
                    }""", masked(created));
            String id = id(created);
            gate.next();
            assertEquals("""
                    {
                      "action" : "SubmissionStatusResponse",
                      "driverState" : "RUNNING",
                      "serverSparkVersion" : "V",
                      "submissionId" : "ID",
                      "success" : true,
                      "workerHostPort" : "127.0.0.1:PORT",
                      "workerId" : "WORKER"
                    }""", masked(get("status/" + id)));
            assertEquals("""
                    {
                      "action" : "KillSubmissionResponse",
                      "message" : "Kill request for ID submitted",
                      "serverSparkVersion" : "V",
                      "submissionId" : "ID",
                      "success" : true
                    }""", masked(post("kill/" + id)));
            awaitState(id, "KILLED");
        }
    }

    /** Values that older releases of spark-jobs-rest-client send are numbers and booleans. */
    @Test
    void takesPropertiesThatAreNoTexts() throws Exception {
        try (Gate gate = new Gate()) {
            gate.open();
            String created = create(
                    gate,
                    "\"spark.driver.cores\": 1, \"spark.driver.memory\": 512, \"spark.eventLog.enabled\": false,"
                            + " \"spark.driver.supervise\": false");
            assertTrue(created.contains("\"success\" : true"), created);
            awaitState(id(created), "FINISHED");
        }
    }

    private static String create(Gate gate, String properties) throws Exception {
        return curl(
                "-XPOST",
                cluster.http() + "/v1/submissions/create",
                "--header",
                "Content-Type:application/json;charset=UTF-8",
                "--data",
                """
                {
                  "appResource": "%s",
                  "sparkProperties": {
                    "spark.master": "%s",
                    "spark.app.name": "Spark Pi",
                    %s
                  },
                  "clientSparkVersion": "",
                  "mainClass": "dev.hearth.itests.endtoend.app.GatedSum",
                  "environmentVariables": { },
                  "action": "CreateSubmissionRequest",
                  "appArgs": [ "%d", "1" ]
                }""".formatted(installation.applications(), cluster.own(), properties, gate.port()));
    }

    private static void awaitState(String id, String state) {
        Eventually.until(
                id + " is " + state,
                () -> {
                    try {
                        return get("status/" + id).contains("\"driverState\" : \"" + state + "\"");
                    } catch (Exception failed) {
                        throw new AssertionError(failed);
                    }
                },
                BOUND,
                () -> cluster.master().process().errors());
    }

    private static String get(String what) throws Exception {
        return curl(cluster.http() + "/v1/submissions/" + what);
    }

    private static String post(String what) throws Exception {
        return curl("-XPOST", cluster.http() + "/v1/submissions/" + what);
    }

    private static String curl(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error"));
        command.addAll(List.of(words));
        Launched curl = Launched.start(scratch, command);
        assertEquals(0, curl.status(), curl::errors);
        return curl.output();
    }

    private static String id(String body) {
        Matcher id = ID.matcher(body);
        assertTrue(id.find(), body);
        return id.group();
    }

    private static String masked(String body) {
        return ID.matcher(body)
                .replaceAll("ID")
                .replaceAll("\"serverSparkVersion\" : \"[^\"]+\"", "\"serverSparkVersion\" : \"V\"")
                .replaceAll("127\\.0\\.0\\.1:\\d+\"", "127.0.0.1:PORT\"")
                .replaceAll("\"workerId\" : \"[^\"]+\"", "\"workerId\" : \"WORKER\"")
                .strip();
    }
}
