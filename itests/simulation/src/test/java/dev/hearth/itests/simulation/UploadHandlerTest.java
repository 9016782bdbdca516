package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.bulk.DirectoryContentStores;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.daemon.UploadHandler;
import dev.hearth.testkit.ManualEventLoop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads over HTTP, in pieces. */
class UploadHandlerTest {
    private static final byte[] FILE = "0123456789".repeat(300).getBytes(StandardCharsets.US_ASCII);
    private static final int PIECE = 1_000;

    @TempDir
    private Path scratch;

    private final ManualEventLoop disk = new ManualEventLoop();
    private final ContentId content = hash(FILE);
    private HeldContents held;
    private UploadHandler handler;

    @BeforeEach
    void open() {
        held = new HeldContents(
                new DirectoryContentStores(),
                scratch,
                new ContentLedger("x.max", 10_000, Duration.ofMinutes(1)),
                disk.ticker());
        handler = new UploadHandler(held, disk);
    }

    @AfterEach
    void close() {
        held.close();
    }

    @Test
    void takesAFileInPiecesAndOnce() throws Exception {
        assertAnswer(404, "0", look());
        assertAnswer(204, "1000", piece(0));
        assertAnswer(404, "1000", look());
        assertAnswer(204, "2000", piece(1));
        HttpAnswer last = piece(2);
        assertAnswer(201, "3000", last);
        assertTrue(text(last).startsWith("{\"content\":\"content:/" + content + "/3000/my%20app.jar\""), text(last));
        assertAnswer(200, "3000", look());
        assertAnswer(200, "3000", piece(2));
        assertEquals(
                List.of((long) FILE.length),
                List.of(Files.size(held.find(content).orElseThrow())));
    }

    @Test
    void saysWhereToGoOnAfterAnInterruption() {
        piece(0);
        assertAnswer(409, "1000", piece(2));
        disk.pass(Duration.ofSeconds(61)); // closes the upload
        assertAnswer(409, "1000", piece(0));
        assertAnswer(204, "2000", piece(1));
        assertAnswer(201, "3000", piece(2));
    }

    @Test
    void refusesAFileWithAnotherHashAndForgetsIt() {
        ContentId other = hash(new byte[1]);
        assertEquals(422, patch(other, "bytes 0-2/3", new byte[3]).status());
        assertAnswer(404, "0", answer("HEAD", other.sha256(), Map.of(), new byte[0]));
    }

    @Test
    void refusesWhatDoesNotFitAndWhatIsMalformed() {
        HttpAnswer full = patch(content, "bytes 0-2/20000", new byte[3]);
        assertEquals(507, full.status());
        assertTrue(text(full).contains("\"code\":\"STORE_FULL\""), text(full));
        assertEquals(400, patch(content, "bytes 0-3/10", new byte[3]).status());
        assertEquals(400, patch(content, "bytes 2-1/10", new byte[0]).status());
        assertEquals(400, patch(content, "", new byte[3]).status());
        assertEquals(400, answer("HEAD", "abc", Map.of(), new byte[0]).status());
        HttpAnswer method = answer("DELETE", content.sha256(), Map.of(), new byte[0]);
        assertEquals(405, method.status());
        assertEquals("HEAD, PATCH", method.headers().get("Allow"));
        assertEquals(0, held.ledger().bytesHeld());
    }

    @Test
    void boundsTheUploadsAtOnce() {
        for (int i = 0; i < 16; i++) {
            assertEquals(
                    204, patch(hash(new byte[i]), "bytes 0-0/2", new byte[1]).status());
        }
        assertEquals(503, piece(0).status());
        disk.pass(Duration.ofSeconds(61));
        assertEquals(204, piece(0).status());
    }

    private HttpAnswer look() {
        return answer("HEAD", content.sha256(), Map.of(), new byte[0]);
    }

    private HttpAnswer piece(int number) {
        int from = number * PIECE;
        String range = "bytes " + from + "-" + (from + PIECE - 1) + "/" + FILE.length;
        return patch(content, range, Arrays.copyOfRange(FILE, from, from + PIECE));
    }

    private HttpAnswer patch(ContentId what, String range, byte[] body) {
        return answer("PATCH", what.sha256(), Map.of("content-range", List.of(range)), body);
    }

    private HttpAnswer answer(String method, String rest, Map<String, List<String>> headers, byte[] body) {
        return handler.handle(new HttpRequest(
                        method,
                        UploadHandler.PREFIX + "/" + rest,
                        UploadHandler.PREFIX,
                        Map.of("name", List.of("my app.jar")),
                        headers,
                        Bytes.owning(body),
                        "127.0.0.1",
                        false))
                .toCompletableFuture()
                .join();
    }

    private static void assertAnswer(int status, String offset, HttpAnswer answer) {
        assertEquals(status, answer.status(), () -> text(answer));
        assertEquals(offset, answer.headers().get("Upload-Offset"));
    }

    private static String text(HttpAnswer answer) {
        return answer.content() instanceof HttpAnswer.Whole whole
                ? new String(whole.bytes().toArray(), StandardCharsets.UTF_8)
                : answer.content().toString();
    }

    private static ContentId hash(byte[] bytes) {
        MessageDigest digest = ContentId.digest();
        digest.update(bytes);
        return ContentId.of(digest);
    }
}
