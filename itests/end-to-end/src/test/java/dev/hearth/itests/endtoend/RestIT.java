package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Submits to real masters by HTTP as clients of Spark do, and through a process that is killed under submissions. {@code
 * -Pcrash} submits 1,000 times instead of 24.
 */
@Timeout(1_200)
class RestIT {
    private static final int SUBMISSIONS = Integer.getInteger("hearth.crash.submissions", 24);
    private static final int KILLS = Math.max(3, SUBMISSIONS / 50);
    private static final Duration BOUND = Duration.ofSeconds(60 + SUBMISSIONS);
    private static final Pattern ID = Pattern.compile("\"submissionId\" : \"(driver-[0-9-]+)\"");
    /** Master that requests name; a master takes them for itself by any name. */
    private static final String MASTER_NAMED = "spark://named:7077";

    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Launched.Ready master;
    private static Launched.Ready worker;
    private static int port;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void startCluster() throws IOException {
        installation = Installation.in(scratch);
        port = FreePort.draw();
        master = installation.daemon(
                "master",
                "--port=0",
                "--conf",
                "spark.master.rest.enabled=true",
                "--conf",
                "spark.master.rest.port=" + port);
        worker = installation.daemon(
                "worker",
                "--cores=4",
                "--memory=2g",
                "--work-dir=" + installation.scratch().resolve("work"),
                master.line());
    }

    @AfterAll
    static void stopCluster() throws Exception {
        worker.process().close();
        master.process().close();
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
    }

    /** Address of the master's own port. */
    private static String own() {
        return master.line().replace("hearth://", "http://");
    }

    private static String rest() {
        return "http://127.0.0.1:" + port;
    }

    @Test
    void runsKillsAndForgetsDriversAsSparksPageSays() throws Exception {
        assertEquals("""
                {
                  "action" : "ReadyzResponse",
                  "message" : "",
                  "serverSparkVersion" : "VERSION",
                  "success" : true
                }""", withoutVersion(get(rest(), "readyz").body()));
        Path file = scratch.resolve("transcript.txt");
        HttpResponse<String> created = post(rest(), "create", create("AppendsLine", file.toString(), "ran"));
        String id = id(created.body());
        assertEquals("""
                {
                  "action" : "CreateSubmissionResponse",
                  "message" : "Driver successfully submitted as %1$s",
                  "serverSparkVersion" : "VERSION",
                  "submissionId" : "%1$s",
                  "success" : true
                }""".formatted(id), withoutVersion(created.body()));
        assertTrue(Pattern.compile("\"workerHostPort\" : \"127\\.0\\.0\\.1:\\d+\",\n  \"workerId\" : \"worker-")
                .matcher(awaitState(id, "RUNNING|FINISHED"))
                .find());
        awaitState(id, "FINISHED");
        assertEquals(List.of("ran"), Files.readAllLines(file));

        try (Gate gate = new Gate()) {
            String kept = id(post(own(), "create", create("GatedSum", String.valueOf(gate.port()), "1"))
                    .body());
            String other = id(post(own(), "create", create("GatedSum", String.valueOf(gate.port()), "1"))
                    .body());
            awaitState(kept, "RUNNING");
            assertTrue(post(rest(), "kill/" + kept, "").body().contains("Kill request for " + kept + " submitted"));
            awaitState(kept, "KILLED");
            assertTrue(post(rest(), "killall", "").body().contains("Kill request for all drivers submitted"));
            awaitState(other, "KILLED");
        }
        assertTrue(post(rest(), "clear", "").body().contains("\"action\" : \"ClearResponse\""));
        assertTrue(get(rest(), "status/" + id).body().contains("\"success\" : false"));
    }

    @Test
    void refusesWhatIsNoRequest() throws Exception {
        assertError(400, "Malformed request: no object", post(rest(), "create", "\"hello, world\""));
        assertError(
                400,
                "Main class is missing.",
                post(rest(), "create", create("X").replace("mainClass", "message")));
        assertError(400, "Submission ID is missing in kill request.", post(rest(), "kill", ""));
        assertError(405, "not that of /create", get(rest(), "create"));
        assertError(413, "body of the request", post(rest(), "create", " ".repeat(2 << 20)));
        assertError(468, "\"highestProtocolVersion\" : \"v1\"", send(request(rest() + "/v9/submissions/create")));
        assertError(400, "Missing protocol version.", send(request(rest() + "/")));
        assertError(400, "Missing an action", send(request(own() + "/v1/submissions")));
        assertError(
                400,
                "a program in Python",
                post(
                        rest(),
                        "create",
                        create("X", "/opt/pi.py", "10")
                                .replace("dev.hearth.itests.endtoend.app.X", "org.apache.spark.deploy.SparkSubmit")));
    }

    @Test
    void demandsSignedTokensWhereAFilterIsSet() throws Exception {
        Launched.Ready guarded = installation.daemon(
                "serve",
                "--conf",
                "hearth.master=" + master.line(),
                "--conf",
                "spark.master.rest.filters=org.apache.spark.ui.JWSFilter",
                "--conf",
                "spark.org.apache.spark.ui.JWSFilter.param.secretKey="
                        + Base64.getUrlEncoder().encodeToString(KEY));
        try (Launched process = guarded.process()) {
            String serve = "http://" + guarded.line().substring(guarded.line().lastIndexOf(' ') + 1);
            assertEquals(200, get(serve, "readyz").statusCode());
            assertError(403, "Authorization header is missing.", get(serve, "status/driver-1"));
            for (String token : List.of("Bearer a.b.c", "Bearer " + encoded("{\"alg\":\"none\"}") + ".e30.")) {
                HttpRequest forged = HttpRequest.newBuilder(URI.create(serve + "/v1/submissions/status/driver-1"))
                        .header("Authorization", token)
                        .build();
                assertError(403, "JWT Validate Fail", send(forged));
            }
            HttpRequest signed = HttpRequest.newBuilder(URI.create(serve + "/v1/submissions/status/driver-1"))
                    .header("Authorization", "Bearer " + token())
                    .build();
            assertEquals(200, send(signed).statusCode(), process::errors);
        }
    }

    @Test
    void turnsAwayTheRpcOfSparkAtOnce() throws Exception {
        URI address = URI.create(own());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
                InputStream in = socket.getInputStream()) {
            // the head of the first frame of Spark 4: its length, the type RpcRequest, an id, and the length of the
            // body
            socket.getOutputStream().write(HexFormat.of().parseHex("000000000000010503000000000000002a000000f0"));
            assertEquals(-1, in.read(), "the port closes the connection");
        }
        Eventually.until(
                "the log says what to do",
                () -> master.process().errors().contains("--conf spark.master.rest.enabled=true"),
                Duration.ofMinutes(3),
                master.process()::errors);
    }

    @Test
    void losesAndRepeatsNothingWhenTheProcessThatSubmitsIsKilled() throws Exception {
        Path file = scratch.resolve("submitted.txt");
        int servePort = FreePort.draw();
        List<String> ids;
        try (KilledServe serve = new KilledServe(installation, master.line(), servePort, KILLS)) {
            // as a client of Spark does, requests name the process that they are sent to as the master
            String named = "spark://127.0.0.1:" + servePort;
            ids = serve.submitAll(
                    SUBMISSIONS,
                    n -> create("AppendsLine", file.toString(), "number-" + n).replace(MASTER_NAMED, named),
                    client);
        }
        assertEquals(SUBMISSIONS, ids.stream().distinct().count(), "one driver for each request");
        Eventually.until(
                "all drivers have ended",
                () -> ids.stream().allMatch(id -> state(id).equals("FINISHED")),
                BOUND,
                () -> master.process().errors());
        List<String> lines = Files.readAllLines(file);
        assertEquals(SUBMISSIONS, lines.size(), "each program ran once");
        assertEquals(SUBMISSIONS, lines.stream().distinct().count(), "and each one ran");
    }

    private static String create(String application, String... arguments) {
        String words =
                Stream.of(arguments).map(word -> "\"" + word + "\"").toList().toString();
        return """
                {"action": "CreateSubmissionRequest", "clientSparkVersion": "4.2.0",
                 "appResource": "%s", "mainClass": "dev.hearth.itests.endtoend.app.%s", "appArgs": %s,
                 "environmentVariables": {"SPARK_ENV": "1"},
                 "sparkProperties": {"spark.master": "spark://named:7077", "spark.driver.memory": "128m",
                   "spark.driver.cores": 1, "spark.driver.supervise": false, "spark.submit.deployMode": "cluster"}}
                """.formatted(installation.applications().toUri(), application, words);
    }

    private String awaitState(String id, String pattern) {
        Eventually.until(
                "state of " + id + " is " + pattern,
                () -> state(id).matches(pattern),
                BOUND,
                () -> master.process().errors());
        return get(rest(), "status/" + id).body();
    }

    private String state(String id) {
        Matcher state = Pattern.compile("\"driverState\" : \"(\\w+)\"")
                .matcher(get(rest(), "status/" + id).body());
        return state.find() ? state.group(1) : "";
    }

    private HttpResponse<String> get(String base, String path) {
        return send(request(base + "/v1/submissions/" + path));
    }

    private static HttpRequest request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).build();
    }

    private HttpResponse<String> post(String base, String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(base + "/v1/submissions/" + path))
                .header("Content-Type", "application/json;charset=UTF-8")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(request + ": " + failure, failure);
        }
    }

    private static void assertError(int status, String part, HttpResponse<String> answer) {
        assertEquals(status, answer.statusCode(), answer::body);
        assertTrue(answer.body().startsWith("{\n  \"action\" : \"ErrorResponse\",\n"), answer::body);
        assertTrue(answer.body().contains(part), answer::body);
    }

    private static String id(String body) {
        Matcher id = ID.matcher(body);
        assertTrue(id.find(), body);
        return id.group(1);
    }

    private static String withoutVersion(String body) {
        return body.replaceAll("\"serverSparkVersion\" : \"[^\"]+\"", "\"serverSparkVersion\" : \"VERSION\"");
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String token() throws GeneralSecurityException {
        String signed = encoded("{\"alg\":\"HS256\"}") + "." + encoded("{\"user\":\"x\"}");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }
}
