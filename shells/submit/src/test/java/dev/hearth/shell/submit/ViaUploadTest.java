package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.FakeTicker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to a server that keeps the file in memory, and that fails as a script says. */
@Timeout(60)
class ViaUploadTest {
    private static final int PIECE = 8 << 20;

    @TempDir
    Path scratch;

    /** Answers in place of the normal ones: a status, or 0 to take the piece and to lose the answer. */
    private final Deque<Integer> script = new ArrayDeque<>();

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final FakeTicker ticker = new FakeTicker();
    private HttpServer http;
    private byte[] bytes = new byte[2 * PIECE + 1_000];
    private String refusal = "";

    @BeforeEach
    void listen() throws IOException {
        new Random(1).nextBytes(bytes);
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String range = exchange.getRequestHeaders().getFirst("Content-Range");
            requests.add(exchange.getRequestMethod() + (range == null ? "" : " " + range));
            boolean scripted = range != null && !script.isEmpty();
            int next = scripted ? script.remove() : 1;
            if (scripted && next > 0) {
                byte[] text = refusal.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(next, text.length);
                exchange.getResponseBody().write(text);
                return;
            }
            int status = range == null ? 404 : take(range, body);
            if (next == 0) {
                throw new IOException("closed by the test");
            }
            boolean whole = held.size() == bytes.length;
            exchange.getResponseHeaders().set("Upload-Offset", String.valueOf(held.size()));
            exchange.sendResponseHeaders(whole ? 200 : status, -1);
        }
    }

    private int take(String range, byte[] body) {
        if (!range.equals("bytes */0") && !range.startsWith("bytes " + held.size() + "-")) {
            return 409;
        }
        held.writeBytes(body);
        return 204;
    }

    private void run(long offset) throws Exception {
        Path file = Files.write(scratch.resolve("my app.jar"), bytes);
        ViaAddress address = ViaAddress.parse("127.0.0.1:" + http.getAddress().getPort(), HttpAccess.OPEN);
        ViaServer server =
                new ViaServer(address, Optional.empty(), ticker, millis -> ticker.advance(Duration.ofSeconds(5)));
        ContentAddress content = new ContentAddress(ContentId.of(file), bytes.length, "my app.jar");
        new ViaUpload(address, server, file, content).run(offset);
    }

    private static String piece(long from, long until, long total) {
        return "PATCH bytes " + from + "-" + (until - 1) + "/" + total;
    }

    @Test
    void sendsPiecesFromWhereTheFileStands() throws Exception {
        held.write(bytes, 0, PIECE);
        run(PIECE);
        assertArrayEquals(bytes, held.toByteArray());
        assertEquals(
                List.of(piece(PIECE, 2 * PIECE, bytes.length), piece(2 * PIECE, bytes.length, bytes.length)), requests);
    }

    @Test
    void sendsAnEmptyFile() throws Exception {
        bytes = new byte[0];
        run(0);
        assertEquals(List.of("PATCH bytes */0"), requests);
    }

    @Test
    void looksAfterALostAnswerAndSendsNoPieceTwice() throws Exception {
        script.addAll(List.of(0, 0, 0));
        run(0);
        assertArrayEquals(bytes, held.toByteArray());
        assertEquals(
                List.of(
                        piece(0, PIECE, bytes.length),
                        "HEAD",
                        piece(PIECE, 2 * PIECE, bytes.length),
                        "HEAD",
                        piece(2 * PIECE, bytes.length, bytes.length),
                        "HEAD"),
                requests);
    }

    @Test
    void goesOnWhereTheServerSaysIfItHasForgottenAPiece() throws Exception {
        run(PIECE); // the server has nothing
        assertArrayEquals(bytes, held.toByteArray());
    }

    @Test
    void waitsForABusyServerAndGivesUpInTime() throws Exception {
        bytes = new byte[1_000];
        script.addAll(List.of(503, 503, 503)); // 15 s
        run(0);
        assertArrayEquals(bytes, held.toByteArray());
        held.reset();
        script.addAll(Collections.nCopies(100, 503));
        refusal = "{\"code\":\"CLUSTER_UNREACHABLE\",\"message\":\"master away\"}";
        HearthException lost = assertThrows(HearthException.class, () -> run(0));
        assertEquals("CLUSTER_LOST", lost.code());
        assertTrue(
                lost.getMessage().contains("for 30 s, the last answer is master away (expected: "), lost.getMessage());
    }

    @Test
    void failsAsTheClusterRefusesTheFile() {
        script.add(507);
        refusal = "{\"code\":\"STORE_FULL\",\"message\":\"content x: 9 GiB (expected: at most 4 GiB)\"}";
        HearthException full = assertThrows(HearthException.class, () -> run(0));
        assertEquals("STORE_FULL content x: 9 GiB (expected: at most 4 GiB)", full.code() + " " + full.getMessage());
        script.add(401);
        HearthException token = assertThrows(HearthException.class, () -> run(0));
        assertEquals("NOT_AUTHENTICATED", token.code());
        script.add(400);
        refusal = "{\"action\":\"ErrorResponse\",\"message\":\"Please submit requests through ...\"}";
        HearthException older = assertThrows(HearthException.class, () -> run(0));
        assertEquals("PROTOCOL_MISMATCH", older.code());
        assertTrue(older.getMessage().contains("takes no files (expected: "), older.getMessage());
        assertEquals(3, requests.size());
    }
}
