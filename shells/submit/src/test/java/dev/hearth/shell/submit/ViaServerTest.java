package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests to a scripted server: what is repeated, and how refusals are reported. */
@Timeout(30)
class ViaServerTest {
    private static final String CREATED =
            "{\"action\":\"CreateSubmissionResponse\",\"submissionId\":\"driver-1\",\"success\":true}";

    private final Deque<Script> script = new ArrayDeque<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final FakeTicker ticker = new FakeTicker();
    private HttpServer http;

    /** Answer to one request. Status 0 closes the connection without an answer. */
    private record Script(int status, String error, String body) {}

    @BeforeEach
    void listen() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            Script next = script.size() > 1 ? script.remove() : script.element();
            if (next.status() == 0) {
                throw new IOException("closed by the test");
            }
            byte[] body = next.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Hearth-Error", next.error());
            exchange.sendResponseHeaders(next.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private ViaServer server(HttpAccess access, Optional<String> master) {
        ViaAddress address = ViaAddress.parse("127.0.0.1:" + http.getAddress().getPort(), access);
        return new ViaServer(address, master, ticker, millis -> ticker.advance(Duration.ofMillis(millis)));
    }

    private static String error(String message) {
        return "{\"action\":\"ErrorResponse\",\"message\":\"" + message + "\"}";
    }

    @Test
    void repeatsARequestWhoseAnswerIsLostWithTheSameId() throws Exception {
        script.add(new Script(0, "", ""));
        script.add(new Script(503, "SUBMISSION_REFUSED", error("too many")));
        script.add(new Script(200, "", CREATED));
        assertEquals(
                new SubmissionId("driver-1"),
                server(HttpAccess.OPEN, Optional.empty()).create("{}", "id-1"));
        assertEquals(3, requests.size());
        assertEquals(
                List.of("POST /v1/submissions/create id-1 null"),
                requests.stream().distinct().toList());
    }

    @Test
    void givesUpInTime() {
        script.add(new Script(0, "", ""));
        HearthException lost = assertThrows(
                HearthException.class,
                () -> server(HttpAccess.OPEN, Optional.empty()).create("{}", "id-1"));
        assertEquals("CLUSTER_LOST", lost.code());
        assertTrue(lost.getMessage().endsWith("repeat the command with --request-id id-1"), lost.getMessage());
        script.clear();
        script.add(new Script(503, "SUBMISSION_REFUSED", error("too many")));
        HearthException refused = assertThrows(
                HearthException.class,
                () -> server(HttpAccess.OPEN, Optional.empty()).create("{}", "id-1"));
        assertEquals("SUBMISSION_REFUSED too many", refused.code() + " " + refused.getMessage());
    }

    @Test
    void saysThatAServerGivesNoAnswer() {
        ContentId content = new ContentId("ab".repeat(32));
        int port = http.getAddress().getPort();
        script.add(new Script(0, "", ""));
        ViaServer plain = server(HttpAccess.OPEN, Optional.empty());
        String closed = plain.unreachable(assertThrows(IOException.class, () -> plain.look(content)))
                .getMessage();
        assertTrue(closed.startsWith("server 127.0.0.1:" + port + ": no answer by HTTP, "), closed);
        assertTrue(
                closed.endsWith("; check the port, and write --via https://127.0.0.1:" + port + " if it encrypts"),
                closed);
    }

    @Test
    void saysThatAServerDoesNotEncrypt() throws Exception {
        ContentId content = new ContentId("ab".repeat(32));
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                try (Socket client = plain.accept()) {
                    client.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException closed) {
                    assertTrue(plain.isBound(), closed::toString);
                }
            });
            String via = "127.0.0.1:" + plain.getLocalPort();
            ViaAddress encrypting = ViaAddress.parse("https://" + via, HttpAccess.OPEN);
            ViaServer server = new ViaServer(encrypting, Optional.empty(), ticker, millis -> {});
            String tls = server.unreachable(assertThrows(IOException.class, () -> server.look(content)))
                    .getMessage();
            assertTrue(tls.startsWith("server " + via + ": no TLS connection, "), tls);
            assertTrue(
                    tls.endsWith("(expected: a server that encrypts); check --via and hearth.ssl.rpc.trustCerts"), tls);
            answered.join();
        }
    }

    @Test
    void doesNotWaitForAServerThatIsNotThere() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        ViaServer none = new ViaServer(
                ViaAddress.parse("127.0.0.1:" + free, HttpAccess.OPEN), Optional.empty(), ticker, millis -> {
                    throw new AssertionError("waits");
                });
        HearthException failure = assertThrows(HearthException.class, () -> none.create("{}", "id-1"));
        assertEquals("CLUSTER_UNREACHABLE", failure.code());
    }

    @Test
    void failsWithTheErrorOfTheServer() {
        script.add(new Script(400, "PATH_MISSING", error("Malformed request: application jar: gone")));
        script.add(new Script(401, "", ""));
        script.add(new Script(404, "", "<html>"));
        ViaServer server = server(HttpAccess.OPEN, Optional.empty());
        HearthException gone = assertThrows(HearthException.class, () -> server.create("{}", "a"));
        assertEquals("PATH_MISSING application jar: gone", gone.code() + " " + gone.getMessage());
        HearthException stranger = assertThrows(HearthException.class, () -> server.create("{}", "a"));
        assertEquals("NOT_AUTHENTICATED", stranger.code());
        HearthException other = assertThrows(HearthException.class, () -> server.create("{}", "a"));
        assertEquals("PROTOCOL_MISMATCH", other.code());
    }

    @Test
    void asksWithTheTokenAndTheMasterForAllThatBinSubmitShows() throws Exception {
        script.add(
                new Script(
                        200,
                        "",
                        "{\"action\":\"SubmissionStatusResponse\",\"success\":true,\"driverState\":\"FAILED\",\"exitStatus\":\"7\","
                                + "\"attempt\":\"2\",\"placement\":\"worker w\",\"message\":\"m\",\"output\":\"o\",\"errors\":\"e\"}"));
        Settings settings = Settings.empty().with("test", "hearth.rest.token", "0123456789abcdef0123456789abcdef");
        ViaServer server = server(HttpAccess.from(settings), Optional.of("hearth://a:1,b:2"));
        SubmissionStatus status = server.status(new SubmissionId("driver-1")).orElseThrow();
        assertEquals(SubmissionState.FAILED, status.state());
        assertEquals(OptionalInt.of(7), status.exitStatus());
        assertEquals(
                "worker w m o e 2",
                String.join(
                        " ",
                        status.placement(),
                        status.message(),
                        status.output(),
                        status.errors(),
                        String.valueOf(status.attempt())));
        assertEquals(
                "GET /v1/submissions/status/driver-1?details=true&master=hearth%3A%2F%2Fa%3A1%2Cb%3A2 null"
                        + " Bearer 0123456789abcdef0123456789abcdef",
                requests.get(0));
        script.clear();
        script.add(new Script(200, "", "{\"action\":\"SubmissionStatusResponse\",\"success\":false}"));
        assertEquals(Optional.empty(), server.status(new SubmissionId("driver-2")));
    }

    @Test
    void sendsNoSecretsOfThisProcess() {
        SubmissionPlan plan = SubmissionPlan.builder("my app", "x.Main")
                .add(Kind.APPLICATION_JAR, "content:/" + "a".repeat(64) + "/3/a.jar")
                .add(Kind.FILE, "local:/b.txt#c")
                .arguments(List.of("1", "\"2\""))
                .settings(Settings.empty()
                        .with("test", "hearth.rest.token", "0123456789abcdef0123456789abcdef")
                        .with("test", "hearth.ssl.rpc.trustCerts", "/t.pem")
                        .with("test", "hearth.master", "hearth://unnamed:1")
                        .with("test", "hearth.executor.cores", "2"))
                .build();
        assertEquals(
                "{\"action\":\"CreateSubmissionRequest\",\"clientSparkVersion\":\"hearth\",\"appResource\":\"content:/"
                        + "a".repeat(64) + "/3/a.jar\",\"mainClass\":\"x.Main\",\"appArgs\":[\"1\",\"\\\"2\\\"\"],"
                        + "\"environmentVariables\":{},\"sparkProperties\":{\"hearth.executor.cores\":\"2\","
                        + "\"hearth.files\":\"local:/b.txt#c\"}}",
                ViaRequestBody.of(plan, Optional.empty()));
        assertTrue(ViaRequestBody.of(plan, Optional.of("yarn")).contains("\"hearth.master\":\"yarn\""));
    }

    @Test
    void readsAddresses() {
        assertEquals(
                "https",
                ViaAddress.parse("https://h:1", HttpAccess.OPEN).access().scheme());
        assertEquals(
                "[::1]:7077", ViaAddress.parse("[::1]:7077", HttpAccess.OPEN).toString());
        for (String wrong : List.of("h", "h:0", "ftp://h:1", "http://joe@h:1", "http://h:1/path", "h:1:2", "")) {
            HearthException refused =
                    assertThrows(HearthException.class, () -> ViaAddress.parse(wrong, HttpAccess.OPEN));
            assertEquals("BAD_ARGUMENT", refused.code());
        }
    }
}
