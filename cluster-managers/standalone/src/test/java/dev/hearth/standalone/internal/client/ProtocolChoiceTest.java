package dev.hearth.standalone.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Choice between the protocol of Hearth and REST, beside a server of the latter. */
@Timeout(30)
class ProtocolChoiceTest {
    private static final SubmissionId DRIVER = new SubmissionId("driver-1");
    private final HearthException foreign = ErrorCode.CLUSTER_UNREACHABLE.failure(
            "master h:1: other",
            ErrorCode.PROTOCOL_MISMATCH.failure("h:1: the other side sent " + RpcEnv.LOOKS_LIKE_HTTP + ", 'x'"));
    private final HearthException ssh = ErrorCode.CLUSTER_UNREACHABLE.failure(
            "master h:1: ssh", ErrorCode.PROTOCOL_MISMATCH.failure("h:1: the other side sent bytes 0x53"));
    private final HearthException refused = ErrorCode.CLUSTER_UNREACHABLE.failure(
            "master h:1: refused", ErrorCode.PEER_UNREACHABLE.failure("h:1: connection refused"));
    private static final SubmissionStatus OURS =
            new SubmissionStatus(DRIVER, SubmissionState.RUNNING, "", "", OptionalInt.empty(), "", "");

    private final ThreadEventLoop loop = new ThreadEventLoop("submission", failure -> {});
    private HttpServer server;
    private volatile String body =
            "{\"action\" : \"SubmissionStatusResponse\", \"driverState\" : \"FINISHED\"," + " \"success\" : true}";

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
        loop.close();
    }

    private SubmissionStatus status(String wanted, Supplier<CompletionStage<SubmissionStatus>> own) throws Exception {
        Settings settings = Settings.empty().with("test", "spark.master.rest.enabled", wanted);
        MasterUrl url =
                MasterUrl.parse("spark://127.0.0.1:" + server.getAddress().getPort());
        CompletableFuture<SubmissionStatus> found = new CompletableFuture<>();
        TestingSubmissionServices services = new TestingSubmissionServices(
                new Simulation(1).process("submit").env(), loop, settings);
        loop.execute(() -> new ProtocolChoice(url, services).status(DRIVER, own).whenComplete((status, failure) -> {
            if (failure == null) {
                found.complete(status);
            } else {
                found.completeExceptionally(failure);
            }
        }));
        try {
            return found.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, "test");
        }
    }

    @Test
    void asksByRestFirstIfTheSettingSaysSo() throws Exception {
        SubmissionStatus found = status("true", () -> {
            throw new AssertionError("own protocol: used (expected: not)");
        });
        assertEquals(SubmissionState.FINISHED, found.state());
    }

    @Test
    void asksByRestWhereAnotherProtocolAnswers() throws Exception {
        assertEquals(
                SubmissionState.FINISHED,
                status("false", () -> CompletableFuture.failedStage(foreign)).state());
        assertEquals(
                SubmissionState.RUNNING,
                status("false", () -> CompletableFuture.completedStage(OURS)).state());
    }

    @Test
    void usesItsOwnProtocolIfNoServerSpeaksRest() throws Exception {
        body = "<html>";
        assertEquals(
                SubmissionState.RUNNING,
                status("true", () -> CompletableFuture.completedStage(OURS)).state());
        HearthException other = assertThrows(
                HearthException.class, () -> status("false", () -> CompletableFuture.failedStage(foreign)));
        assertTrue(String.valueOf(other.getMessage()).contains("other"), other::getMessage);
    }

    @Test
    void sendsNoHttpToServersOfOtherProtocols() {
        HearthException failure =
                assertThrows(HearthException.class, () -> status("false", () -> CompletableFuture.failedStage(ssh)));
        assertTrue(String.valueOf(failure.getMessage()).contains("ssh"), failure::getMessage);
    }

    @Test
    void asksNobodyElseWhereNothingListens() {
        HearthException failure = assertThrows(
                HearthException.class, () -> status("false", () -> CompletableFuture.failedStage(refused)));
        assertTrue(String.valueOf(failure.getMessage()).contains("refused"), failure::getMessage);
    }
}
