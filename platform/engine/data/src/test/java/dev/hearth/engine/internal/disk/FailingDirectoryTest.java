package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.spi.shuffle.FrameFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories that are full, fail or cannot be created: files move to another directory, or writing fails and
 * leaves no file.
 */
class FailingDirectoryTest {
    private static final long ROOM = 1L << 40;

    @TempDir
    Path directory;

    private Path first;
    private Path second;

    @BeforeEach
    void name() {
        first = directory.resolve("first");
        second = directory.resolve("second");
    }

    @Test
    void movesAFileToAnotherDirectoryAfterAnyNumberOfBytes() throws Exception {
        Random random = new Random(11);
        List<List<byte[]>> parts = new ArrayList<>();
        for (int part = 0; part < 4; part++) {
            parts.add(List.of(
                    TemporaryFileFixture.frame(random, 80_000, 256), TemporaryFileFixture.frame(random, 50, 256)));
        }
        long whole = 4 * (80_050 + 2 * FrameFormat.HEADER_BYTES) + 5 * Long.BYTES + FrameFormat.TRAILER_BYTES;
        for (long room = 0; room <= whole; room += room < 200 || room > whole - 200 ? 1 : 7_919) {
            expectMoved(parts, room, whole);
        }
        expectMoved(parts, whole, whole);
    }

    private void expectMoved(List<List<byte[]>> parts, long room, long whole) throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first, second);
        fixture.disk.room(first, room);
        PartitionedFile segment = fixture.write("spill", parts);
        assertEquals(whole, Files.size(Path.of(segment.file())));
        assertTrue(segment.file().startsWith((room < whole ? second : first).toString()), room + ": " + segment.file());
        assertEquals(1, TemporaryFileFixture.segments(directory).size(), "after " + room + " bytes");
        assertEquals(whole, fixture.files.bytes());
        assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)), "after " + room + " bytes");
        fixture.files.close();
        assertEquals(room < whole ? List.of(first, second) : List.of(first), TemporaryFileFixture.below(directory));
        Files.deleteIfExists(second);
        assertEquals(0, fixture.disk.open(), "descriptors after " + room + " bytes");
    }

    @Test
    void reportsTheFailureOfEachDirectoryWhenNoneIsLeft() throws Exception {
        byte[] frame = TemporaryFileFixture.frame(new Random(12), 30_000, 256);
        for (long room = 0; room < 200_000; room += 9_973) {
            TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first, second);
            fixture.disk.room(first, room);
            fixture.disk.room(second, 200_000 - room);
            PartitionedFileWriter writer = fixture.files.create("shuffle 3, map task 7", 1);
            writer.begin(0);
            HearthException failed = assertThrows(HearthException.class, () -> {
                for (int n = 0; n < 100; n++) {
                    writer.write(frame, 0, frame.length);
                }
            });
            assertEquals("DISK_FAILED", failed.code());
            for (Path place : List.of(first, second)) {
                assertTrue(failed.getMessage().contains(place + ": No space left on device"), failed.getMessage());
            }
            assertTrue(failed.getMessage().startsWith("shuffle 3, map task 7: "), failed.getMessage());
            assertTrue(failed.getMessage().contains("hearth.local.dir"), failed.getMessage());
            assertEquals(List.of(), TemporaryFileFixture.segments(directory));
            assertEquals(0, fixture.disk.open());
            assertEquals(0, fixture.files.bytes());
            assertThrows(IllegalStateException.class, () -> writer.write(frame, 0, 1));
            assertThrows(IllegalStateException.class, writer::finish);
            writer.abandon();
            fixture.files.close();
        }
    }

    @Test
    void skipsAFailedDirectoryForAWhile() {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first, second);
        List<List<byte[]>> some = List.of(List.of(new byte[100]));
        fixture.disk.room(first, 0);
        for (int n = 0; n < 6; n++) {
            assertTrue(fixture.write("spill", some).file().startsWith(second.toString()));
        }
        fixture.disk.room(first, ROOM);
        fixture.ticker.advance(LocalDirectory.REST.minusNanos(1));
        for (int n = 0; n < 6; n++) {
            assertTrue(fixture.write("spill", some).file().startsWith(second.toString()), "it rests");
        }
        fixture.ticker.advance(Duration.ofNanos(1));
        List<String> next = List.of(
                fixture.write("spill", some).file(),
                fixture.write("spill", some).file());
        assertEquals(
                1,
                next.stream().filter(file -> file.startsWith(first.toString())).count(),
                next::toString);
        fixture.files.close();
    }

    @Test
    void retriesTheOnlyDirectoryAtOnce() {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first);
        List<List<byte[]>> some = List.of(List.of(new byte[100]));
        fixture.disk.room(first, 50);
        assertEquals(
                "DISK_FAILED",
                assertThrows(HearthException.class, () -> fixture.write("a", some))
                        .code());
        fixture.disk.room(first, ROOM);
        assertTrue(fixture.write("b", some).file().startsWith(first.toString()), "room was made meanwhile");
        fixture.files.close();
    }

    @Test
    void reportsBothFailuresWhenAFileCannotBeReadBack() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first, second);
        fixture.disk.room(first, 100_000);
        PartitionedFileWriter writer = fixture.files.create("spill", 1);
        writer.begin(0);
        writer.write(new byte[90_000], 0, 90_000);
        fixture.disk.unreadable(true);
        HearthException failed = assertThrows(HearthException.class, () -> writer.write(new byte[90_000], 0, 90_000));
        assertEquals("DISK_FAILED", failed.code());
        assertTrue(failed.getMessage().contains("No space left on device"), failed.getMessage());
        assertTrue(failed.getMessage().contains("Input/output error"), failed.getMessage());
        assertEquals(List.of(), TemporaryFileFixture.segments(directory));
        assertEquals(0, fixture.disk.open());
        fixture.files.close();
    }

    @Test
    void movesAFileThatCannotBeClosed() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first, second);
        List<List<byte[]>> some = List.of(List.of(new byte[70_000], new byte[3]));
        fixture.disk.closesFail(true);
        PartitionedFile segment = fixture.write("spill", some);
        assertTrue(segment.file().startsWith(second.toString()), segment.file());
        assertTrue(TemporaryFileFixture.same(some, TemporaryFileFixture.read(segment)));
        assertEquals(1, TemporaryFileFixture.segments(directory).size());
        assertEquals(0, fixture.disk.open());
        fixture.files.close();
    }

    @Test
    void reportsDirectoriesThatCannotBeCreated() throws Exception {
        Files.writeString(first, "a file where a directory is wanted");
        Path below = first.resolve("deeper");
        TemporaryFileFixture other = new TemporaryFileFixture(CompressionCodec.NONE, first, below, second);
        assertTrue(other.write("spill", List.of(List.of(new byte[9]))).file().startsWith(second.toString()));
        other.files.close();

        TemporaryFileFixture none = new TemporaryFileFixture(CompressionCodec.NONE, first, below);
        HearthException failed =
                assertThrows(HearthException.class, () -> none.write("spill", List.of(List.of(new byte[9]))));
        assertTrue(failed.getMessage().contains(first + ": "), failed.getMessage());
        assertTrue(failed.getMessage().contains(below + ": "), failed.getMessage());
        none.files.close();
    }

    @Test
    void usesDirectoriesInTurn() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, first, second);
        for (int n = 0; n < 200; n++) {
            fixture.write("spill " + n, List.of(List.of(new byte[9])));
        }
        assertEquals(100, TemporaryFileFixture.segments(first).size());
        assertEquals(100, TemporaryFileFixture.segments(second).size());
        long fans = TemporaryFileFixture.segments(directory).stream()
                .map(Path::getParent)
                .distinct()
                .count();
        assertEquals(ProcessDirectory.FANOUT, fans, "half of the numbers in each, as there are two");
        fixture.files.close();
    }
}
