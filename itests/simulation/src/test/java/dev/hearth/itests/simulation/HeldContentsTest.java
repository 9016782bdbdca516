package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.bulk.DirectoryContentStores;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore.Incoming;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.machine.SmallDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Uploaded files of a daemon on real disks: full ones, those of killed processes, and those that others change. */
class HeldContentsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final Duration RETENTION = Duration.ofMinutes(10);

    @TempDir
    private Path scratch;

    private final FakeTicker ticker = new FakeTicker();
    private Path file;
    private ContentId content;
    private HeldContents held;

    @BeforeEach
    void open() throws IOException {
        file = Files.write(scratch.resolve("app.jar"), new byte[2 * MEBIBYTE]);
        content = ContentId.of(file);
        held = in(scratch.resolve("held"));
    }

    @AfterEach
    void close() {
        held.close();
    }

    @Test
    void adoptsWhatAnEndedProcessHasLeftAndKeepsItForTheRetentionTime() throws IOException {
        assertEquals(content, held.add(file));
        begin(new ContentId("ab".repeat(32)), MEBIBYTE).close();
        held.close();

        held = in(scratch.resolve("held"));
        held.adopt();
        assertTrue(held.ledger().ask(content, ticker.nanos()));
        ticker.advance(RETENTION.minusSeconds(1));
        held.expire(ticker.wall().minus(RETENTION));
        assertEquals(2, files(scratch.resolve("held")).size());
        ticker.advance(Duration.ofSeconds(1));
        held.expire(ticker.wall().plus(Duration.ofDays(36_500))); // the part has the time of the real clock
        assertEquals(List.of(), files(scratch.resolve("held")));
        assertEquals(Optional.empty(), held.find(content));
    }

    @Test
    void twoProcessesOfOneDirectoryHaveFilesOfTheirOwn() throws IOException {
        held.add(file);
        try (HeldContents other = in(scratch.resolve("held"))) {
            assertEquals(Optional.empty(), other.find(content));
            other.add(file);
        }
        assertEquals(2, files(scratch.resolve("held")).size());
    }

    @Test
    void opensNoDirectoryBeforeItIsNeeded() throws IOException {
        held.adopt();
        held.expire(ticker.wall());
        assertEquals(0, held.bytesHeld());
        assertTrue(Files.notExists(scratch.resolve("held")));
    }

    @Test
    void removesAFileThatAnotherProgramHasChanged() throws IOException {
        held.add(file);
        Path stored = held.findIntact(content).orElseThrow();
        assertEquals(stored, held.findIntact(content).orElseThrow());
        Files.write(stored, new byte[] {1, 2, 3});
        assertEquals(Optional.empty(), held.findIntact(content));
        assertEquals(List.of(), files(scratch.resolve("held")));
        held.add(file);
        Files.delete(held.find(content).orElseThrow());
        assertEquals(Optional.empty(), held.find(content));
    }

    @Test
    void keepsNothingOfAFileWithAnotherHash() throws IOException {
        ContentId other = new ContentId("cd".repeat(32));
        try (Incoming incoming = held.receive(other, 3)) {
            incoming.write(ByteBuffer.wrap(new byte[3]));
            assertEquals(
                    "STREAM_DAMAGED",
                    assertThrows(HearthException.class, incoming::finish).code());
        }
        assertEquals(List.of(), files(scratch.resolve("held")));
        assertEquals(Optional.empty(), held.find(other));
    }

    @Test
    void evictsWhatIsUnusedForANewFileAndRefusesOneThatIsTooLarge() throws IOException {
        held.add(file);
        assertEquals(
                "STORE_FULL",
                assertThrows(HearthException.class, () -> held.receive(new ContentId("ab".repeat(32)), 9 * MEBIBYTE))
                        .code());
        ticker.advance(RETENTION);
        begin(new ContentId("ab".repeat(32)), 7 * MEBIBYTE).close();
        assertEquals(Optional.empty(), held.find(content));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void refusesAFileForWhichTheDiskHasNoRoomAndTakesItLater() throws IOException {
        try (SmallDisk disk = SmallDisk.in(scratch, 4 * MEBIBYTE);
                HeldContents small = in(disk.directory().resolve("held"))) {
            Path other = Files.write(disk.directory().resolve("other"), new byte[3 * MEBIBYTE]);
            HearthException full = assertThrows(HearthException.class, () -> small.receive(content, 2 * MEBIBYTE));
            assertEquals("STORE_FULL", full.code());
            assertTrue(String.valueOf(full.getMessage()).contains("make room there"), full::getMessage);
            assertEquals(List.of(), files(disk.directory().resolve("held")));
            Files.delete(other);
            small.add(file);
            assertEquals(1, files(disk.directory().resolve("held")).size());
        }
    }

    private Incoming begin(ContentId what, int bytes) throws IOException {
        Incoming incoming = held.receive(what, bytes);
        incoming.write(ByteBuffer.wrap(new byte[bytes / 2]));
        return incoming;
    }

    private HeldContents in(Path directory) {
        return new HeldContents(
                new DirectoryContentStores(), directory, new ContentLedger("x.max", 8 * MEBIBYTE, RETENTION), ticker);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(found -> Files.isRegularFile(found)
                            && !found.getFileName().toString().equals("lock"))
                    .toList();
        }
    }
}
