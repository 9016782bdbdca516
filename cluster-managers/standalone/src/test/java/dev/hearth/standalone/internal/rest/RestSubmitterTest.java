package dev.hearth.standalone.internal.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.rest.RestTransport.Fate;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Submissions, questions and kills by the REST protocol, with answers as Spark 4.2's master writes them. */
class RestSubmitterTest {
    private static final SubmissionId DRIVER = new SubmissionId("driver-20261119120000-0000");
    private static final String CREATED = """
            {
              "action" : "CreateSubmissionResponse",
              "message" : "Driver successfully submitted as driver-20261119120000-0000",
              "serverSparkVersion" : "4.2.0",
              "submissionId" : "driver-20261119120000-0000",
              "success" : true
            }""";
    private static final String STANDBY = """
            {
              "action" : "CreateSubmissionResponse",
              "message" : "Current state is not alive: STANDBY. Can only accept driver submissions in ALIVE state.",
              "serverSparkVersion" : "4.2.0",
              "success" : false
            }""";

    private final Simulation simulation = new Simulation(1);
    private final EventLoop loop = simulation.process("submit").loop("submission");
    private final ScriptedMasters masters = new ScriptedMasters();
    private final Heard heard = new Heard();
    private final RestSubmitter submitter = new RestSubmitter(
            MasterUrl.parse("spark://a:6066,b:6066"),
            List.of(new RpcAddress("a", 6066), new RpcAddress("b", 6066)),
            masters,
            loop);

    /** Records all events. */
    private static final class Heard implements SubmissionListener {
        private final List<String> lines = new ArrayList<>();
        private final List<SubmissionState> states = new ArrayList<>();
        private boolean own;
        private String lost = "";

        @Override
        public void changed(SubmissionStatus status) {
            states.add(status.state());
        }

        @Override
        public void ownProgress() {
            own = true;
        }

        @Override
        public void said(String line) {
            lines.add(line);
        }

        @Override
        public void lost(String reason) {
            lost = reason;
        }
    }

    private static String status(String state, String more) {
        return """
                {
                  "action" : "SubmissionStatusResponse",
                  "driverState" : "%s",%s
                  "serverSparkVersion" : "4.2.0",
                  "submissionId" : "driver-20261119120000-0000",
                  "success" : true
                }""".formatted(state, more);
    }

    private static final String PLACE = "\n  \"workerHostPort\" : \"10.0.0.1:33000\",\n  \"workerId\" : \"worker-1\",";

    private static SubmissionPlan plan() {
        return SubmissionPlan.builder("my app", "org.example.Main")
                .add(Kind.APPLICATION_JAR, "local:/opt/a.jar")
                .arguments(List.of("10", "a \"b\""))
                .environment(Map.of("SPARK_X", "1"))
                .settings(Settings.empty()
                        .with(
                                "test",
                                Map.of(
                                        "hearth.driver.memory", "512m",
                                        "hearth.jars", "file:/b.jar",
                                        "hearth.rest.token", "secret",
                                        "hearth.driver.host", "me",
                                        "hearth.submit.deployMode", "cluster")))
                .build();
    }

    private <T> T run(Supplier<CompletionStage<T>> request) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> request.get().whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }));
        simulation.runFor(Duration.ofSeconds(30));
        assertTrue(result.isDone());
        try {
            return result.get();
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, "test");
        }
    }

    @Test
    void submitsInTheLinesOfSparkAndFollowsTheDriverToItsEnd() throws Exception {
        masters.answer("a", "create", CREATED)
                .answer("a", "status", ScriptedMasters.UNKNOWN)
                .answer("a", "status", status("SUBMITTED", ""))
                .answer("a", "status", status("RUNNING", PLACE))
                .answer("a", "status", status("FINISHED", PLACE));
        assertEquals(Optional.of(DRIVER), run(() -> submitter.submit(plan(), heard, true)));
        assertEquals(
                List.of(
                        "Running Spark using the REST application submission protocol.",
                        "Submitting a request to launch an application in spark://a:6066,b:6066.",
                        "Submission successfully created as " + DRIVER + ". Polling submission state...",
                        "State of driver " + DRIVER + " is now SUBMITTED.",
                        "Server responded with CreateSubmissionResponse:"),
                heard.lines.subList(0, 5));
        assertEquals(CREATED.lines().toList(), heard.lines.subList(5, 12));
        assertEquals(
                List.of(
                        "State of driver " + DRIVER + " is now RUNNING.",
                        "Driver is running on worker worker-1 at 10.0.0.1:33000.",
                        "State of driver " + DRIVER + " is now FINISHED."),
                heard.lines.subList(12, 15));
        assertTrue(heard.own);
        assertEquals(
                List.of(
                        SubmissionState.SUBMITTED,
                        SubmissionState.SUBMITTED,
                        SubmissionState.RUNNING,
                        SubmissionState.FINISHED),
                heard.states);
        assertEquals("a GET /v1/submissions/status/driver-0", masters.requests().get(0));
        assertEquals("a POST /v1/submissions/create", masters.requests().get(1));
        assertEquals(6, masters.requests().size()); // four questions, one a second, and none after the end
    }

    @Test
    void sendsThePlanInTheFormOfSpark() {
        assertEquals(
                "{\"action\":\"CreateSubmissionRequest\",\"appArgs\":[\"10\", \"a \\\"b\\\"\"],"
                        + "\"appResource\":\"local:/opt/a.jar\",\"clientSparkVersion\":\"hearth\","
                        + "\"environmentVariables\":{\"SPARK_X\":\"1\"},\"mainClass\":\"org.example.Main\","
                        + "\"sparkProperties\":{\"spark.app.name\":\"my app\",\"spark.driver.memory\":\"512m\","
                        + "\"spark.jars\":\"file:/b.jar,local:/opt/a.jar\",\"spark.master\":\"spark://a:6066\","
                        + "\"spark.submit.deployMode\":\"cluster\"}}",
                CreateRequestWriter.of(plan(), MasterUrl.parse("hearth://a:6066")));
        SubmissionPlan nameless = plan().but().mainClass("").build();
        HearthException failure = assertThrows(
                HearthException.class, () -> CreateRequestWriter.of(nameless, MasterUrl.parse("hearth://a:6066")));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
    }

    @Test
    void asksTheNextMasterWhenOneIsDeadOrStandsBy() throws Exception {
        masters.answer("a", "create", STANDBY)
                .answer("b", "create", CREATED)
                .answer("b", "status", status("RUNNING", PLACE));
        assertEquals(Optional.of(DRIVER), run(() -> submitter.submit(plan(), heard, true)));
        assertEquals(
                1,
                heard.lines.stream()
                        .filter(line -> line.startsWith("Submitting"))
                        .count());

        masters.requests().clear();
        masters.fail("a", "probe", Fate.UNREACHABLE);
        assertEquals(Optional.of(DRIVER), run(() -> submitter.submit(plan(), heard, true)));
        assertFalse(masters.requests().contains("a POST /v1/submissions/create"));
    }

    @Test
    void saysWhyEveryMasterRefused() {
        masters.answer("a", "create", STANDBY).fail("b", "probe", Fate.UNREACHABLE);
        HearthException refused =
                assertThrows(HearthException.class, () -> run(() -> submitter.submit(plan(), heard, true)));
        assertEquals(ErrorCode.SUBMISSION_REFUSED.name(), refused.code());
        assertTrue(String.valueOf(refused.getMessage()).contains("Current state is not alive: STANDBY."));
    }

    @Test
    void saysNothingWhenNoServerSpeaksTheProtocolAndNobodyAskedForIt() throws Exception {
        masters.fail("a", "probe", Fate.FOREIGN).fail("b", "probe", Fate.LOST);
        assertEquals(Optional.empty(), run(() -> submitter.submit(plan(), heard, false)));
        assertEquals(List.of(), heard.lines);
        assertEquals(Optional.empty(), run(() -> submitter.submit(plan(), heard, true)));
        assertEquals(2, heard.lines.size());
        assertEquals(Optional.empty(), run(() -> submitter.status(DRIVER)));
        assertEquals(Optional.empty(), run(() -> submitter.kill(DRIVER)));
    }

    @Test
    void asksNoOtherMasterOnceTheAnswerToARequestIsLost() {
        masters.fail("a", "create", Fate.LOST).answer("b", "create", CREATED);
        HearthException lost =
                assertThrows(HearthException.class, () -> run(() -> submitter.submit(plan(), heard, true)));
        assertEquals(ErrorCode.CLUSTER_LOST.name(), lost.code());
        assertFalse(masters.requests().contains("b POST /v1/submissions/create"));
    }

    @Test
    void givesUpAMasterThatForgetsTheDriver() throws Exception {
        masters.answer("a", "create", CREATED).answer("a", "status", ScriptedMasters.UNKNOWN);
        assertEquals(Optional.of(DRIVER), run(() -> submitter.submit(plan(), heard, true)));
        assertTrue(heard.lines.contains("Error: Master did not recognize driver " + DRIVER + "."));
        assertTrue(heard.lost.startsWith("master a:6066: 10 questions about " + DRIVER), heard.lost);
        assertEquals(12, masters.requests().size());
    }

    @Test
    void tellsStatesOfTheMasterThatKnowsTheDriver() throws Exception {
        masters.answer("a", "status", ScriptedMasters.UNKNOWN).answer("b", "status", status("FAILED", PLACE));
        SubmissionStatus known = run(() -> submitter.status(DRIVER)).orElseThrow();
        assertEquals(SubmissionState.FAILED, known.state());
        assertEquals("worker worker-1 at 10.0.0.1:33000", known.placement());
        masters.answer("b", "status", status("FROZEN", ""));
        run(() -> submitter.status(DRIVER));
        assertEquals(
                SubmissionState.UNKNOWN,
                run(() -> submitter.status(DRIVER)).orElseThrow().state());
        ScriptedMasters none = new ScriptedMasters().answer("c", "status", ScriptedMasters.UNKNOWN);
        RestSubmitter other =
                new RestSubmitter(MasterUrl.parse("spark://c:1"), List.of(new RpcAddress("c", 1)), none, loop);
        HearthException unknown = assertThrows(HearthException.class, () -> run(() -> other.status(DRIVER)));
        assertEquals(ErrorCode.SUBMISSION_UNKNOWN.name(), unknown.code());
    }

    @Test
    void killsADriverThatRuns() throws Exception {
        masters.answer("a", "status", status("RUNNING", PLACE))
                .answer("a", "kill", "{\"action\" : \"KillSubmissionResponse\", \"success\" : true}");
        assertEquals(
                SubmissionState.RUNNING,
                run(() -> submitter.kill(DRIVER)).orElseThrow().state());
        assertEquals(
                "a POST /v1/submissions/kill/" + DRIVER,
                masters.requests().get(masters.requests().size() - 1));
    }

    @Test
    void killsNoDriverThatHasEnded() throws Exception {
        masters.answer("a", "status", status("FINISHED", ""));
        assertEquals(
                SubmissionState.FINISHED,
                run(() -> submitter.kill(DRIVER)).orElseThrow().state());
        assertTrue(masters.requests().stream().noneMatch(request -> request.contains("/kill/")));
    }

    @Test
    void saysThatADriverWasNotKilled() {
        masters.answer("a", "status", status("RUNNING", PLACE))
                .answer(
                        "b",
                        "kill",
                        "{\"action\" : \"KillSubmissionResponse\", \"success\" : false,"
                                + " \"message\" : \"Can only kill drivers in ALIVE state.\"}");
        HearthException failure = assertThrows(HearthException.class, () -> run(() -> submitter.kill(DRIVER)));
        assertEquals(ErrorCode.COMMAND_FAILED.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("Can only kill drivers in ALIVE state."));
    }
}
