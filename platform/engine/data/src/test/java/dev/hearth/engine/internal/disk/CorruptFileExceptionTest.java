package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.shuffle.FrameFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every change of a file is detected before any of its content is returned, and the error names the offset. */
class CorruptFileExceptionTest {
    private static final int FRAME_BYTES = 100;

    @TempDir
    Path directory;

    private TemporaryFileFixture fixture;

    private PartitionedFile write(CompressionCodec compression, List<List<byte[]>> parts) {
        fixture = new TemporaryFileFixture(compression, directory);
        return fixture.write("spill", parts);
    }

    @AfterEach
    void leaveNothing() {
        assertEquals(0, fixture.disk.open(), "descriptors left open");
        fixture.files.close();
    }

    @ParameterizedTest
    @EnumSource
    void detectsEveryFlippedBit(CompressionCodec compression) throws Exception {
        Random random = new Random(5);
        List<List<byte[]>> parts = List.of(
                List.of(TemporaryFileFixture.frame(random, 60, 3), TemporaryFileFixture.frame(random, 40, 256)),
                List.of(),
                List.of(TemporaryFileFixture.frame(random, 50, 2)));
        PartitionedFile segment = write(compression, parts);
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        long body = segment.bytes(0) + segment.bytes(2);
        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << bit);
                Files.write(file, changed);
                if (at < body) {
                    expectDamaged(segment, "byte " + at + ", bit " + bit);
                } else {
                    assertTrue(
                            TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)),
                            "the index is kept in memory");
                    CorruptFileException damage = assertThrows(
                            CorruptFileException.class, () -> fixture.files.read(file), "byte " + at + ", bit " + bit);
                    assertTrue(damage.getMessage().startsWith(file + ": "), damage.getMessage());
                }
            }
        }
    }

    /** The files of cached blocks have one segment. */
    @Test
    void detectsEveryFlippedBitInTheFooterOfASingleSegment() throws Exception {
        PartitionedFile segment =
                write(CompressionCodec.NONE, List.of(List.of(TemporaryFileFixture.frame(new Random(5), 60, 3))));
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        for (int at = (int) segment.bytes(0); at < bytes.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << bit);
                Files.write(file, changed);
                assertThrows(CorruptFileException.class, () -> fixture.files.read(file), "byte " + at + ", bit " + bit);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "LZ4"})
    void detectsEveryTruncation(CompressionCodec compression) throws Exception {
        Random random = new Random(6);
        List<List<byte[]>> parts = List.of(
                List.of(TemporaryFileFixture.frame(random, 90, 256), TemporaryFileFixture.frame(random, 80, 3)),
                List.of(TemporaryFileFixture.frame(random, 70, 2)));
        PartitionedFile segment = write(compression, parts);
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        long body = segment.bytes(0) + segment.bytes(1);
        for (int length = bytes.length - 1; length >= 0; length--) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThrows(CorruptFileException.class, () -> fixture.files.read(file), "cut to " + length);
            if (length < body) {
                CorruptFileException damage = expectDamaged(segment, "cut to " + length);
                assertTrue(damage.getMessage().contains("cut short"), damage.getMessage());
            }
        }
    }

    @Test
    void detectsAMovedFrame() throws Exception {
        List<byte[]> frames = new ArrayList<>();
        Random random = new Random(7);
        for (int n = 0; n < 3; n++) {
            frames.add(TemporaryFileFixture.frame(random, FRAME_BYTES, 256));
        }
        PartitionedFile segment = write(CompressionCodec.NONE, List.of(frames, frames));
        PartitionedFile other = fixture.write("other", List.of(frames, frames));
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        int size = FrameFormat.HEADER_BYTES + FRAME_BYTES;
        for (int from = 0; from < 6; from++) {
            for (int to = 0; to < 6; to++) {
                byte[] changed = bytes.clone();
                System.arraycopy(bytes, from * size, changed, to * size, size);
                System.arraycopy(bytes, to * size, changed, from * size, size);
                Files.write(file, changed);
                if (from == to) {
                    assertEquals(3, TemporaryFileFixture.read(segment, 0).size());
                } else {
                    CorruptFileException damage = expectDamaged(segment, from + " and " + to + " swapped");
                    assertTrue(damage.getMessage().contains("checksum"), damage.getMessage());
                }
            }
        }
        Files.copy(Path.of(other.file()), file, StandardCopyOption.REPLACE_EXISTING);
        expectDamaged(segment, "the file of another segment with the same records");
    }

    @ParameterizedTest
    @EnumSource
    void theChecksumCoversTheWholeHeader(CompressionCodec compression) throws Exception {
        List<byte[]> frames = List.of(TemporaryFileFixture.frame(new Random(9), FRAME_BYTES, 3));
        PartitionedFile segment = write(compression, List.of(frames));
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        for (int at = FrameFormat.COMPRESSION_AT; at < FrameFormat.CHECKSUM_AT; at++) {
            byte[] changed = bytes.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            CorruptFileException damage = expectDamaged(segment, "byte " + at);
            assertTrue(damage.getMessage().contains("checksum"), damage.getMessage());
        }
    }

    @Test
    void detectsBytesBetweenTheSegmentsAndTheFooter() throws Exception {
        PartitionedFile segment =
                write(CompressionCodec.NONE, List.of(List.of(TemporaryFileFixture.frame(new Random(5), 60, 3))));
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        int body = (int) segment.bytes(0);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        System.arraycopy(bytes, body, longer, body + 1, bytes.length - body);
        Files.write(file, longer);
        assertThrows(CorruptFileException.class, () -> fixture.files.read(file));
    }

    @Test
    void keepsNoReceivedFileWithoutAFooter() throws Exception {
        fixture = new TemporaryFileFixture(CompressionCodec.NONE, directory);
        ReceivedFile received = fixture.files.receive("copy");
        received.write(new byte[FRAME_BYTES], FRAME_BYTES);
        assertThrows(CorruptFileException.class, received::whole);
        assertEquals(List.of(), TemporaryFileFixture.segments(directory));
        assertEquals(0, fixture.files.bytes());
    }

    @Test
    void errorNamesFileFrameAndOffset() throws Exception {
        Random random = new Random(8);
        List<byte[]> frames = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            frames.add(TemporaryFileFixture.frame(random, FRAME_BYTES, 256));
        }
        PartitionedFile segment = write(CompressionCodec.NONE, List.of(List.of(), List.of(), frames));
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        int frame = 3 * (FrameFormat.HEADER_BYTES + FRAME_BYTES);
        bytes[frame + FrameFormat.HEADER_BYTES + 50] ^= 4;
        Files.write(file, bytes);
        RecordInput in = new RecordInput();
        try (SegmentInput input = segment.open(2)) {
            for (int n = 0; n < 3; n++) {
                assertTrue(input.next(in), "those before are whole");
            }
            CorruptFileException damage = assertThrows(CorruptFileException.class, () -> input.next(in));
            String place = file + ": frame 3 of part 2 at offset " + frame + ": checksum ";
            assertTrue(damage.getMessage().startsWith(place), damage.getMessage());
            assertTrue(damage.getMessage().contains("does not match (expected: "), damage.getMessage());
        }
    }

    @Test
    void reportsAMissingFile() throws Exception {
        byte[] frame = TemporaryFileFixture.frame(new Random(9), 1_000_000, 256);
        PartitionedFile segment = write(CompressionCodec.NONE, List.of(List.of(frame, frame)));
        RecordInput in = new RecordInput();
        try (SegmentInput early = segment.open(0);
                SegmentInput late = segment.open(0)) {
            assertTrue(early.next(in));
            Files.delete(Path.of(segment.file()));
            assertTrue(early.next(in), "whoever has it open reads on");
            CorruptFileException gone = assertThrows(CorruptFileException.class, () -> late.next(in));
            assertTrue(gone.getMessage().startsWith(segment.file() + ": is missing (expected: "), gone.getMessage());
        }
        CorruptFileException gone =
                assertThrows(CorruptFileException.class, () -> fixture.files.read(Path.of(segment.file())));
        assertTrue(gone.getMessage().contains(": is missing"), gone.getMessage());
        segment.delete();
        assertEquals(0, fixture.files.bytes());
    }

    @Test
    void reportsAnUnreadableDisk() {
        PartitionedFile segment = write(CompressionCodec.LZ4, List.of(List.of(new byte[100])));
        fixture.disk.unreadable(true);
        CorruptFileException damage = expectDamaged(segment, "a disk that fails");
        assertTrue(damage.getMessage().contains("cannot be read: Input/output error"), damage.getMessage());
        fixture.disk.unreadable(false);
    }

    /** A slice with a valid checksum and impossible sizes, as a faulty writer would produce. */
    @Test
    void impossibleSizesAllocateNoMemory() throws Exception {
        PartitionedFile segment = write(CompressionCodec.NONE, List.of(List.of(new byte[FRAME_BYTES])));
        Path file = Path.of(segment.file());
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, FRAME_BYTES - 1}) {
            for (int stored : new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, FRAME_BYTES}) {
                byte[] changed = bytes.clone();
                FrameFormat.writeInt(changed, 0, length);
                FrameFormat.writeInt(changed, FrameFormat.STORED_AT, stored);
                Files.write(file, changed);
                expectDamaged(segment, length + " bytes, stored " + stored);
            }
        }
    }

    private static CorruptFileException expectDamaged(PartitionedFile segment, String what) {
        CorruptFileException damage = assertThrows(
                CorruptFileException.class, () -> TemporaryFileFixture.read(segment), () -> what + ": not noticed");
        assertTrue(damage.getMessage().startsWith(segment.file() + ": "), damage.getMessage());
        assertTrue(damage.getMessage().contains("(expected: "), damage.getMessage());
        return damage;
    }
}
