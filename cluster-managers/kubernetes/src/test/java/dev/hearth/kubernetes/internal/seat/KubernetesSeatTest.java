package dev.hearth.kubernetes.internal.seat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The seat in a driver: its requests to the API server, and its fetches from a server of HTTP. */
class KubernetesSeatTest {
    private static final SubmissionPlan PLAN =
            SubmissionPlan.builder("pi", "example.Pi").build();

    @TempDir
    private Path directory;

    private final AtomicInteger failing = new AtomicInteger();
    private final RecordingApiServer server = new RecordingApiServer();
    private HttpServer http;

    @BeforeEach
    void serve() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/app.jar", exchange -> {
            if (failing.getAndDecrement() > 0) {
                exchange.sendResponseHeaders(503, -1);
            } else {
                byte[] body = "content".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private String address(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    private KubernetesSeat seat(String sha256, String path, boolean annotates) throws IOException {
        SeatInstructions instructions = new SeatInstructions(
                "pi-submission",
                "pi-driver",
                "pi-svc",
                annotates,
                "proof",
                List.of(),
                path.isEmpty()
                        ? List.of()
                        : List.of(new SeatInstructions.Fetch(
                                address(path), directory.resolve("work/app.jar").toString(), sha256)));
        Files.writeString(directory.resolve("instructions"), instructions.text());
        return new KubernetesSeat(directory, Map.of("HEARTH_POD_UID", "u-1"), plan -> server, Runnable::run);
    }

    @Test
    void takesTheSecretAndFetchesFiles() throws Exception {
        failing.set(2);
        Path expected = Files.writeString(directory.resolve("expected"), "content");
        seat(ContentId.of(expected).sha256(), "/app.jar", false).begin(PLAN);
        assertEquals("content", Files.readString(directory.resolve("work/app.jar")));
        assertEquals(1, server.requests.size());
        assertTrue(server.requests.get(0).startsWith("patch SECRET pi-submission "), server.requests::toString);
        assertTrue(server.requests.get(0).contains("\"uid\":\"u-1\""), server.requests::toString);
    }

    @Test
    void refusesOtherContent() throws Exception {
        KubernetesSeat seat = seat("ab".repeat(32), "/app.jar", false);
        HearthException damaged = assertThrows(HearthException.class, () -> seat.begin(PLAN));
        assertEquals("FILE_DAMAGED", damaged.code());
        assertFalse(Files.exists(directory.resolve("work/app.jar")));
    }

    @Test
    void refusesAMissingFileAtOnce() throws Exception {
        KubernetesSeat seat = seat("", "/other.jar", false);
        HearthException missing = assertThrows(HearthException.class, () -> seat.begin(PLAN));
        assertEquals("PATH_MISSING", missing.code());
        assertTrue(missing.getMessage().contains("HTTP status 404"), missing::getMessage);
    }

    @Test
    void givesUpOnAServerThatFails() throws Exception {
        failing.set(100);
        KubernetesSeat seat = seat("", "/app.jar", false);
        HearthException missing = assertThrows(HearthException.class, () -> seat.begin(PLAN));
        assertTrue(missing.getMessage().contains("503"), missing::getMessage);
        assertEquals(97, failing.get());
    }

    @Test
    void deletesTheServiceAndRecordsTheReasonOfAFailure() throws Exception {
        KubernetesSeat seat = seat("", "", true);
        seat.begin(PLAN);
        server.requests.clear();
        seat.ended(ExitStatus.of(ExitCode.FAILED), "no input");
        assertEquals(2, server.requests.size());
        assertTrue(server.requests.get(0).contains("\"spark.exit-exception\":\"no input\""));
        assertEquals("delete SERVICE pi-svc", server.requests.get(1));
        assertTrue(server.closed);
    }

    @Test
    void keepsTheServiceOfADriverThatStartsAgain() throws Exception {
        SubmissionPlan supervised = SubmissionPlan.builder("pi", "example.Pi")
                .settings(Settings.empty().with("test", Map.of("hearth.driver.supervise", "true")))
                .build();
        KubernetesSeat seat = seat("", "", false);
        seat.begin(supervised);
        server.requests.clear();
        seat.ended(ExitStatus.of(ExitCode.FAILED), "no input");
        assertEquals(List.of(), server.requests);
        seat.ended(ExitStatus.of(ExitCode.OK), "");
        assertEquals(List.of("delete SERVICE pi-svc"), server.requests);
    }

    @Test
    void recordsNothingAboutASuccess() throws Exception {
        KubernetesSeat seat = seat("", "", true);
        seat.begin(PLAN);
        server.requests.clear();
        seat.ended(ExitStatus.of(ExitCode.OK), "");
        assertEquals(List.of("delete SERVICE pi-svc"), server.requests);
    }

    @Test
    void refusesAPodWithoutInstructions() {
        KubernetesSeat seat = new KubernetesSeat(directory, Map.of(), plan -> server, Runnable::run);
        assertThrows(HearthException.class, () -> seat.begin(PLAN));
    }

    @Test
    void beginsWithoutAnApiServer() throws Exception {
        Files.writeString(
                directory.resolve("instructions"),
                new SeatInstructions("pi-submission", "pi-driver", "pi-svc", true, "proof", List.of(), List.of())
                        .text());
        KubernetesSeat seat = new KubernetesSeat(
                directory,
                Map.of("HEARTH_POD_UID", "u-1"),
                plan -> {
                    throw ErrorCode.CLUSTER_UNREACHABLE.failure("none");
                },
                Runnable::run);
        seat.begin(PLAN);
        seat.ended(ExitStatus.of(ExitCode.OK), ""); // the cluster deletes what belongs to the pod
        assertEquals(List.of(), server.requests);
    }
}
