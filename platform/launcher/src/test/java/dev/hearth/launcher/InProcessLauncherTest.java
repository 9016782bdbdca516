package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions over HTTP, to a server that answers as a master does. */
class InProcessLauncherTest {
    private static final String UNREACHABLE = "127.0.0.1:1"; // a port that no one listens on

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> states = new CopyOnWriteArrayList<>(List.of("RUNNING", "FINISHED"));

    @TempDir
    Path scratch;

    private HttpServer master;
    private volatile String created = """
            {"action" : "CreateSubmissionResponse", "submissionId" : "driver-1", "success" : true}""";
    private volatile int status = 200;

    @BeforeEach
    void open() throws IOException {
        master = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        master.createContext("/v1/submissions/create", exchange -> answer(exchange, created));
        master.createContext("/v1/submissions/kill/driver-1", exchange -> {
            states.clear();
            states.add("KILLED");
            answer(exchange, "{\"success\" : true, \"submissionId\" : \"driver-1\"}");
        });
        master.createContext("/v1/submissions/status/driver-1", exchange -> {
            String state = states.size() > 1 ? states.remove(0) : states.get(0);
            answer(exchange, "{\"driverState\" : \"" + state + "\", \"success\" : true, \"workerHostPort\" : \"w:1\"}");
        });
        master.createContext("/v1/submissions/status/driver-2", exchange -> answer(exchange, "{\"success\" : false}"));
        master.start();
    }

    @AfterEach
    void close() {
        master.stop(0);
    }

    @Test
    void submitsAndFollowsADriver() throws Exception {
        LaunchHandle handle = cluster(address())
                .name("words")
                .setting("hearth.executor.memory", "2g")
                .flag("--driver-memory", "1g")
                .jar("hdfs://a/b.jar")
                .arguments("in", "a \"quoted\" word")
                .token("secret")
                .start();

        assertEquals(new LaunchEnd(LaunchState.FINISHED, OptionalInt.empty(), "", ""), end(handle));
        assertEquals("driver-1", handle.submissionId().orElseThrow());
        assertEquals("http://w:1", handle.links().get("worker"));
        assertEquals("""
                POST /v1/submissions/create Bearer secret {
                  "action" : "CreateSubmissionRequest",
                  "appArgs" : [ "in", "a \\"quoted\\" word" ],
                  "appResource" : "hdfs://a/words.jar",
                  "clientSparkVersion" : "4.2.0",
                  "environmentVariables" : { },
                  "mainClass" : "example.Words",
                  "sparkProperties" : {
                    "hearth.executor.memory" : "2g",
                    "spark.app.name" : "words",
                    "spark.driver.memory" : "1g",
                    "spark.jars" : "hdfs://a/b.jar",
                    "spark.master" : "hearth://%s",
                    "spark.submit.deployMode" : "cluster"
                  }
                }""".formatted(address()), requests.get(0));
    }

    @Test
    void asksTheNextMasterIfOneDoesNotAnswer() throws Exception {
        assertEquals(
                LaunchState.FINISHED,
                end(cluster(UNREACHABLE + "," + address()).start()).state());

        LaunchEnd none = end(cluster(UNREACHABLE).start());
        assertEquals(LaunchState.FAILED, none.state());
        assertEquals("CLUSTER_UNREACHABLE", none.code());
        assertTrue(none.message().contains(UNREACHABLE), none::message);
    }

    @Test
    void takesAStandbyForAMasterThatDoesNotAnswer() throws Exception {
        created = """
                {"success" : false, "message" : "Current state is not alive: STANDBY. Can only accept driver submissions."}""";
        LaunchEnd end = end(cluster(address()).start());

        assertEquals("CLUSTER_UNREACHABLE", end.code());
        assertTrue(end.message().contains("STANDBY"), end::message);
    }

    @Test
    void reportsARefusalAsData() throws Exception {
        created = "{\"success\" : false, \"message\" : \"no room\"}";
        assertEquals(
                new LaunchEnd(LaunchState.FAILED, OptionalInt.empty(), "SUBMISSION_REFUSED", "no room"),
                end(cluster(address()).start()));
        status = 401;
        assertEquals("NOT_AUTHENTICATED", end(cluster(address()).start()).code());
        status = 413;
        assertEquals("SUBMISSION_REFUSED", end(cluster(address()).start()).code());
    }

    @Test
    void attachesToASubmissionAndKillsIt() throws Exception {
        states.remove("FINISHED");
        LaunchHandle handle = cluster(address()).attach("driver-1");
        handle.stop();
        assertEquals(LaunchState.KILLED, end(handle).state());

        LaunchEnd unknown = end(cluster(address()).attach("driver-2"));
        assertEquals(LaunchState.LOST, unknown.state());
        assertEquals("SUBMISSION_UNKNOWN", unknown.code());
    }

    @Test
    void readsPropertiesFilesBelowSettingsAndFlags() throws Exception {
        Path file = Files.writeString(
                scratch.resolve("a.conf"), "spark.driver.memory 3g\nspark.a=1\nhearth.b=1\n", StandardCharsets.UTF_8);
        end(cluster(address())
                .propertiesFile(file)
                .setting("hearth.b", "2")
                .flag("--driver-memory", "4g")
                .start());

        String body = requests.get(0);
        assertTrue(body.contains("\"spark.driver.memory\" : \"4g\""), body);
        assertTrue(body.contains("\"spark.a\" : \"1\""), body);
        assertTrue(body.contains("\"hearth.b\" : \"2\""), body);
    }

    @Test
    void refusesWhatAMasterCannotDo() {
        assertThrows(
                IllegalArgumentException.class,
                () -> cluster(address()).flag("--colour", "red").start());
        assertThrows(
                IllegalArgumentException.class,
                () -> cluster("a:1").master("yarn").start());
        assertThrows(IllegalArgumentException.class, () -> new RestClient("hearth://a:1,", ""));
        assertThrows(
                IllegalStateException.class,
                () -> new InProcessLauncher()
                        .deployMode("cluster")
                        .mainClass("A")
                        .application("a.jar")
                        .start());
        assertThrows(
                IllegalArgumentException.class,
                () -> new InProcessLauncher()
                        .master("hearth://a:1")
                        .deployMode("cluster")
                        .application("missing.jar")
                        .start());
    }

    @Test
    void saysThatTheEngineIsMissing() {
        IllegalStateException missing = assertThrows(
                IllegalStateException.class,
                () -> new InProcessLauncher()
                        .master("local")
                        .mainClass("A")
                        .application(LauncherConstants.NO_RESOURCE)
                        .start());

        assertTrue(missing.getMessage().contains("dev.hearth:hearth-embedded"), missing::getMessage);
    }

    private InProcessLauncher cluster(String addresses) {
        return new InProcessLauncher()
                .master("hearth://" + addresses)
                .deployMode("cluster")
                .mainClass("example.Words")
                .application("hdfs://a/words.jar")
                .pollEvery(Duration.ofMillis(1));
    }

    private String address() {
        return "127.0.0.1:" + master.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, String body) throws IOException {
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + token + " "
                + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static LaunchEnd end(LaunchHandle handle) throws Exception {
        return handle.exit().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}
