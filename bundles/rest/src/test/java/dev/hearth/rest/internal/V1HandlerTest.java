package dev.hearth.rest.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.TestingSubmissionGateway;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the answers to each kind of request, byte by byte where clients of Spark read them. */
class V1HandlerTest {
    private static final String BASE = "/v1/submissions/";
    private static final String PROPERTIES = "\"sparkProperties\":{\"spark.master\":\"spark://other:6066\"}";
    private static final String GOOD = create(PROPERTIES + ",\"appArgs\":[\"a\",\"--b\"]");

    private final TestingSubmissionGateway gateway = new TestingSubmissionGateway();
    private Settings settings = Settings.empty();
    private final Map<String, String> environment = Map.of("HOME_DIR", "/data", "TOKEN", "t");
    private String header = "";
    private String headerValue = "";

    @Test
    void createsADriverAndAnswersAsSparkDoes() {
        HttpAnswer answer = post("create", GOOD);
        assertEquals(200, answer.status());
        assertEquals("""
                {
                  "action" : "CreateSubmissionResponse",
                  "message" : "Driver successfully submitted as driver-1",
                  "serverSparkVersion" : "1.2.3",
                  "submissionId" : "driver-1",
                  "success" : true
                }""", body(answer));
        HttpAnswer.Whole whole = (HttpAnswer.Whole) answer.content();
        assertEquals("application/json;charset=utf-8", whole.type());
        TestingSubmissionGateway.Request request = gateway.requests().get(0);
        assertEquals(List.of("--class=x.Main", "/a.jar", "a", "--b"), request.arguments());
        assertEquals(
                Map.of("hearth.master", "hearth://master:7077"),
                request.settings().values());
    }

    @Test
    void namesUnknownFields() {
        String answer = body(post("create", create(PROPERTIES + ",\"tomato\":\"not-a-fruit\",\"x\":[1,{}]")));
        assertTrue(answer.contains("  \"unknownFields\" : [ \"tomato\", \"x\" ]\n}"), answer);
    }

    @Test
    void passesPropertiesAndEnvironmentOn() {
        settings = settings.with("test", "spark.master.rest.environment", "HOME_DIR,UNSET");
        post(
                "create",
                create("\"sparkProperties\":{\"spark.app.name\":\"n\",\"spark.cores.max\":2,\"spark.x\":true,"
                        + "\"spark.submit.deployMode\":\"client\",\"spark.home\":\"{{HOME_DIR}}\","
                        + "\"spark.token\":\"{{TOKEN}}\",\"spark.part\":\"a{{HOME_DIR}}\",\"spark.null\":null,"
                        + "\"java.home\":\"/j\",\"hearth.y\":\"z\"},\"environmentVariables\":{\"A\":\"{{UNSET}}\","
                        + "\"SPARK_LOCAL_IP\":\"1.2.3.4\",\"SPARK_LOCAL_HOSTNAME\":\"h\",\"N\":1}"));
        TestingSubmissionGateway.Request request = gateway.requests().get(0);
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("hearth.app.name", "n");
        expected.put("hearth.cores.max", "2");
        expected.put("hearth.home", "/data");
        expected.put("hearth.master", "hearth://master:7077");
        expected.put("hearth.part", "a{{HOME_DIR}}");
        expected.put("hearth.token", "{{TOKEN}}");
        expected.put("hearth.x", "true");
        expected.put("hearth.y", "z");
        assertEquals(expected, request.settings().values());
        assertEquals(Map.of("A", "{{UNSET}}", "N", "1"), request.environment());
    }

    @Test
    void readsTheArgumentsOfSparkSubmitAsACommandLine() {
        post(
                "create",
                "{\"action\":\"CreateSubmissionRequest\",\"clientSparkVersion\":\"\",\"appResource\":\"\","
                        + "\"mainClass\":\"org.apache.spark.deploy.SparkSubmit\",\"sparkProperties\":{},"
                        + "\"appArgs\":[\"--class\",\"x.Main\",\"/a.jar\",\"10\"]}");
        assertEquals(
                List.of("--class", "x.Main", "/a.jar", "10"),
                gateway.requests().get(0).arguments());
    }

    @Test
    void passesTheRequestIdOn() {
        header = "idempotency-key";
        headerValue = "retry-1";
        post("create", GOOD);
        assertEquals("retry-1", gateway.requests().get(0).requestId());
        headerValue = "two words";
        assertEquals(400, post("create", GOOD).status());
    }

    @Test
    void takesBodiesUpToTheBound() {
        settings = settings.with("test", "spark.master.rest.maxRequestBodySize", "1k");
        String filled = create(PROPERTIES + ",\"message\":\"%s\"");
        String exact = filled.replace("%s", "x".repeat(1_024 - filled.length() + 2));
        assertEquals(200, post("create", exact).status());
        HttpAnswer refused = post("create", exact + " ");
        assertEquals(413, refused.status());
        assertTrue(body(refused).startsWith("{\n  \"action\" : \"ErrorResponse\",\n"), body(refused));
    }

    @Test
    void wordsTheRefusalsOfTheServer() {
        HttpAnswer refused =
                handler().refusal(413, "body of the request: too long").orElseThrow();
        assertEquals(413, refused.status());
        assertEquals("""
                {
                  "action" : "ErrorResponse",
                  "message" : "body of the request: too long",
                  "serverSparkVersion" : "1.2.3"
                }""", body(refused));
    }

    @Test
    void checksTheResourceAgainstThePatterns() {
        settings = settings.with(
                "test", "spark.master.rest.allowedAppResourcePatterns", "s3a://jars/.*,/opt/[a-z]+\\.jar");
        assertError(400, "Malformed request: Valid application jar path is required", post("create", GOOD));
        assertEquals(200, post("create", GOOD.replace("/a.jar", "/opt/a.jar")).status());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    BAD_ARGUMENT       | 400 | Malformed request: cause
                    DEPLOY_MODE_UNKNOWN| 400 | Malformed request: cause
                    SUBMISSION_REFUSED | 503 | cause
                    CLUSTER_UNREACHABLE| 503 | cause
                    INTERNAL           | 500 | Internal server error: cause
                    """)
    void answersFailuresOfTheCluster(ErrorCode code, int status, String message) {
        gateway.failWith(code.failure("cause"));
        HttpAnswer answer = post("create", GOOD);
        assertError(status, message, answer);
        assertEquals(status == 503, answer.headers().containsKey("Retry-After"));
        assertEquals(code.name(), answer.headers().get("Hearth-Error"));
    }

    @Test
    void refusesSubmissionsForOtherClustersOnAMaster() {
        HttpAnswer answer = post("create", GOOD.replace("spark://other:6066", "yarn"));
        assertError(
                400,
                "Malformed request: spark.master: 'yarn' (expected: hearth://master:7077, the master that got the"
                        + " request); submit to that cluster itself",
                answer);
    }

    @Test
    void submitsToTheClusterOfTheRequestElsewhere() {
        gateway.elsewhere("hearth://default:7077");
        for (String master : List.of("spark://other:7077", "yarn", "spark://host:18080", "hearth://HOST:18080")) {
            post("create", GOOD.replace("spark://other:6066", master));
        }
        post("create", create("\"sparkProperties\":{}"));
        assertEquals(
                List.of(
                        "spark://other:7077",
                        "yarn",
                        "hearth://default:7077",
                        "hearth://default:7077",
                        "hearth://default:7077"),
                gateway.requests().stream()
                        .map(request -> request.settings().find("hearth.master").orElse(""))
                        .toList());
        get("status/driver-1?master=yarn");
        post("kill/driver-1", "");
        assertEquals(List.of("status driver-1 on yarn", "kill driver-1 on hearth://default:7077"), gateway.questions());
    }

    @Test
    void passesOnThatADriverIsSupervised() {
        List.of("true", "\"true\"", "false", "\"false\"")
                .forEach(value -> assertEquals(
                        200,
                        post("create", create("\"sparkProperties\":{\"spark.driver.supervise\":" + value + "}"))
                                .status()));
        assertEquals(
                List.of("true", "true", "false", "false"),
                gateway.requests().stream()
                        .map(request -> request.settings()
                                .find("hearth.driver.supervise")
                                .orElse(""))
                        .toList());
    }

    @Test
    void describesARunningDriver() {
        gateway.put(status("driver-9", SubmissionState.RUNNING, "", "worker-1", "10.0.0.1:7078"));
        assertEquals("""
                {
                  "action" : "SubmissionStatusResponse",
                  "driverState" : "RUNNING",
                  "serverSparkVersion" : "1.2.3",
                  "submissionId" : "driver-9",
                  "success" : true,
                  "workerHostPort" : "10.0.0.1:7078",
                  "workerId" : "worker-1"
                }""", body(get("status/driver-9/more/words")));
    }

    @Test
    void addsFurtherFieldsOnRequest() {
        gateway.put(new SubmissionStatus(
                new SubmissionId("driver-9"),
                SubmissionState.FAILED,
                "worker w at h",
                "exit status 7",
                OptionalInt.of(7),
                "out\n",
                "err\n",
                Map.of(),
                2));
        assertEquals("""
                {
                  "action" : "SubmissionStatusResponse",
                  "attempt" : "2",
                  "driverState" : "FAILED",
                  "errors" : "err\\n",
                  "exitStatus" : "7",
                  "message" : "exit status 7",
                  "output" : "out\\n",
                  "placement" : "worker w at h",
                  "serverSparkVersion" : "1.2.3",
                  "submissionId" : "driver-9",
                  "success" : true
                }""", body(get("status/driver-9?details=true")));
    }

    @Test
    void quotesTheFailureOfADriver() {
        gateway.put(status("driver-9", SubmissionState.ERROR, "worker worker-1 is lost", "", ""));
        assertTrue(body(get("status/driver-9"))
                .contains("\"message\" : \"Exception from the cluster:\\nworker worker-1 is lost\""));
        gateway.put(status("driver-9", SubmissionState.SUBMITTED, "waits for a worker", "", ""));
        assertFalse(body(get("status/driver-9")).contains("message"));
    }

    @ParameterizedTest
    @EnumSource(SubmissionState.class)
    void namesEachStateAsSparkDoes(SubmissionState state) {
        gateway.put(status("driver-9", state, "", "", ""));
        assertTrue(body(get("status/driver-9")).contains("\"driverState\" : \"" + state + "\""));
    }

    @ParameterizedTest
    @CsvSource({"driver-1", "no%20id", "*", "driver-*"})
    void knowsNoOtherDriver(String id) {
        gateway.put(status("driver-9", SubmissionState.RUNNING, "", "", ""));
        String status = body(get("status/" + id));
        assertTrue(status.contains("\"success\" : false") && !status.contains("driverState"), status);
        String killed = body(post("kill/" + id, ""));
        assertTrue(
                killed.contains("\"message\" : \"Driver " + id + " has already finished or does not exist\""), killed);
        assertFalse(gateway.questions().contains("kill * on hearth://master:7077"));
    }

    @Test
    void killsARunningDriverOnly() {
        gateway.put(status("driver-8", SubmissionState.FINISHED, "", "", ""));
        gateway.put(status("driver-9", SubmissionState.RUNNING, "", "", ""));
        assertEquals("""
                {
                  "action" : "KillSubmissionResponse",
                  "message" : "Kill request for driver-9 submitted",
                  "serverSparkVersion" : "1.2.3",
                  "submissionId" : "driver-9",
                  "success" : true
                }""", body(post("kill/driver-9/any/thing", "")));
        String ended = body(post("kill/driver-8", ""));
        assertTrue(
                ended.contains("\"message\" : \"Driver driver-8 has already finished or does not exist\"")
                        && ended.contains("\"success\" : false"),
                ended);
    }

    @Test
    void killsAllAndClears() {
        assertEquals("""
                {
                  "action" : "KillAllSubmissionResponse",
                  "message" : "Kill request for all drivers submitted",
                  "serverSparkVersion" : "1.2.3",
                  "success" : true
                }""", body(post("killall", "")));
        assertEquals("""
                {
                  "action" : "ClearResponse",
                  "message" : "",
                  "serverSparkVersion" : "1.2.3",
                  "success" : true
                }""", body(post("clear", "")));
        assertEquals(List.of("kill * on hearth://master:7077", "clear hearth://master:7077"), gateway.questions());
    }

    @Test
    void isReadyUnlessItIsAStandby() {
        assertEquals("""
                {
                  "action" : "ReadyzResponse",
                  "message" : "",
                  "serverSparkVersion" : "1.2.3",
                  "success" : true
                }""", body(get("readyz")));
        gateway.state("STANDBY");
        assertError(503, "Master is not ready.", get("readyz"));
        gateway.state("RECOVERING");
        assertEquals(200, get("readyz").status());
    }

    @ParameterizedTest
    @CsvSource({"STANDBY", "RECOVERING", "COMPLETING_RECOVERY"})
    void saysThatAMasterIsNotAlive(String state) {
        gateway.state(state);
        String begin = "Current state is not alive: " + state + ". Can only ";
        String created = body(post("create", GOOD));
        assertTrue(created.contains(begin + "accept driver submissions in ALIVE state."), created);
        assertTrue(created.contains("\"success\" : false"), created);
        for (String path : List.of("kill/driver-1", "killall")) {
            String killed = body(post(path, ""));
            assertTrue(killed.contains(begin + "kill drivers in ALIVE state."), killed);
        }
        HttpAnswer status = get("status/driver-1");
        assertError(503, begin + "request driver status in ALIVE state.", status);
        assertEquals(List.of(), gateway.questions());
    }

    private static SubmissionStatus status(
            String id, SubmissionState state, String message, String worker, String address) {
        return new SubmissionStatus(
                new SubmissionId(id),
                state,
                "",
                message,
                OptionalInt.empty(),
                "",
                "",
                Map.of(),
                1,
                SubmissionTimes.NONE,
                worker,
                address);
    }

    private static String create(String fields) {
        return "{\"action\":\"CreateSubmissionRequest\",\"clientSparkVersion\":\"4.0.0\",\"appResource\":\"/a.jar\","
                + "\"mainClass\":\"x.Main\"," + fields + "}";
    }

    private V1Handler handler() {
        return new V1Handler(gateway, RestSettings.from(settings), "1.2.3", environment, new FakeTicker());
    }

    private HttpAnswer post(String path, String body) {
        return send("POST", path, body);
    }

    private HttpAnswer get(String path) {
        return send("GET", path, "");
    }

    private HttpAnswer send(String method, String path, String body) {
        int question = path.indexOf('?');
        String plain = question < 0 ? path : path.substring(0, question);
        Map<String, List<String>> query = question < 0
                ? Map.of()
                : Map.of(
                        path.substring(question + 1, path.indexOf('=')),
                        List.of(path.substring(path.indexOf('=') + 1)));
        HttpRequest request = new HttpRequest(
                method,
                BASE + plain,
                "/v1",
                query,
                header.isEmpty() ? Map.of() : Map.of(header, List.of(headerValue)),
                Bytes.owning(body.getBytes(StandardCharsets.UTF_8)),
                "127.0.0.1:1",
                false,
                new HttpRequest.Client("", "host:18080", ""));
        return handler().handle(request).toCompletableFuture().join();
    }

    private static String body(HttpAnswer answer) {
        return new String(((HttpAnswer.Whole) answer.content()).bytes().toArray(), StandardCharsets.UTF_8);
    }

    private static void assertError(int status, String message, HttpAnswer answer) {
        assertEquals(status, answer.status());
        assertEquals(
                "{\n  \"action\" : \"ErrorResponse\",\n  \"message\" : \"" + message
                        + "\",\n  \"serverSparkVersion\" : \"1.2.3\"\n}",
                body(answer));
    }
}
