package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.bulk.DirectoryContentStores;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.cluster.UploadStatus.Stage;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.contents.PieceUploads;
import dev.hearth.testkit.ManualEventLoop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads in pieces into a real store. */
class PieceUploadsTest {
    private static final byte[] FILE = "0123456789".repeat(300).getBytes(StandardCharsets.US_ASCII);
    private static final int PIECE = 1_000;

    @TempDir
    private Path scratch;

    private final ManualEventLoop disk = new ManualEventLoop();
    private final ContentId content = hash(FILE);
    private HeldContents held;
    private PieceUploads uploads;

    @BeforeEach
    void open() {
        held = new HeldContents(
                new DirectoryContentStores(),
                scratch,
                new ContentLedger("x.max", 10_000, Duration.ofMinutes(1)),
                disk.ticker());
        uploads = new PieceUploads(held, disk);
    }

    @AfterEach
    void close() {
        held.close();
    }

    @Test
    void takeAFileInPiecesAndOnce() throws Exception {
        assertStatus(Stage.PARTIAL, 0, uploads.look(content));
        assertStatus(Stage.PARTIAL, 1_000, take(0));
        assertStatus(Stage.PARTIAL, 1_000, uploads.look(content));
        assertStatus(Stage.PARTIAL, 2_000, take(1));
        assertStatus(Stage.COMPLETED, 3_000, take(2));
        assertStatus(Stage.HELD, 3_000, uploads.look(content));
        assertStatus(Stage.HELD, 3_000, take(2));
        assertEquals(FILE.length, Files.size(held.find(content).orElseThrow()));
    }

    @Test
    void takeAnEmptyFile() throws Exception {
        ContentId empty = hash(new byte[0]);
        assertStatus(Stage.COMPLETED, 0, uploads.take(new ContentPiece(empty, 0, 0, Bytes.EMPTY)));
        assertEquals(0, Files.size(held.find(empty).orElseThrow()));
    }

    @Test
    void sayWhereToGoOnAfterAnInterruption() {
        take(0);
        assertStatus(Stage.MISPLACED, 1_000, take(2));
        disk.pass(Duration.ofSeconds(61)); // closes the upload
        assertStatus(Stage.PARTIAL, 1_000, uploads.look(content));
        assertStatus(Stage.MISPLACED, 1_000, take(0));
        assertStatus(Stage.PARTIAL, 2_000, take(1));
        assertStatus(Stage.COMPLETED, 3_000, take(2));
    }

    @Test
    void sayTheSameAfterARestart() {
        take(0);
        take(1);
        held.close();
        open();
        assertStatus(Stage.PARTIAL, 2_000, uploads.look(content));
        assertStatus(Stage.COMPLETED, 3_000, take(2));
    }

    @Test
    void refuseAFileWithAnotherHashAndForgetIt() {
        ContentId other = hash(new byte[1]);
        assertRefused("STREAM_DAMAGED", new ContentPiece(other, 3, 0, Bytes.owning(new byte[3])));
        assertStatus(Stage.PARTIAL, 0, uploads.look(other));
    }

    @Test
    void refuseWhatDoesNotFit() {
        assertRefused("STORE_FULL", new ContentPiece(content, 20_000, 0, Bytes.owning(new byte[3])));
        assertEquals(0, held.ledger().bytesHeld());
    }

    @Test
    void boundTheUploadsAtOnce() {
        for (int i = 0; i < 16; i++) {
            ContentPiece first = new ContentPiece(hash(new byte[i + 1]), 2, 0, Bytes.owning(new byte[1]));
            assertStatus(Stage.PARTIAL, 1, uploads.take(first));
        }
        assertRefused("TOO_MANY_ASKS", piece(0));
        disk.pass(Duration.ofSeconds(61));
        assertStatus(Stage.PARTIAL, 1_000, take(0));
    }

    private UploadStatus take(int number) {
        return uploads.take(piece(number));
    }

    private ContentPiece piece(int number) {
        int from = number * PIECE;
        return new ContentPiece(content, FILE.length, from, Bytes.owning(Arrays.copyOfRange(FILE, from, from + PIECE)));
    }

    private void assertRefused(String code, ContentPiece piece) {
        HearthException refused = assertThrows(HearthException.class, () -> uploads.take(piece));
        assertEquals(code, refused.code());
        assertTrue(refused.getMessage().contains("(expected: "), refused.getMessage());
    }

    private static void assertStatus(Stage stage, long bytes, UploadStatus status) {
        assertEquals(new UploadStatus(stage, bytes), status);
    }

    private static ContentId hash(byte[] bytes) {
        MessageDigest digest = ContentId.digest();
        digest.update(bytes);
        return ContentId.of(digest);
    }
}
