package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.FrameFormat;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocalTemporaryFilesTest {
    private static final int ROUNDS = 60;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void readsBackWhateverWasWritten(CompressionCodec compression) throws Exception {
        TemporaryFileFixture fixture =
                new TemporaryFileFixture(compression, directory.resolve("a"), directory.resolve("b"));
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            boolean large = seed % 5 == 0;
            List<List<byte[]>> parts =
                    TemporaryFileFixture.parts(random, 1 + random.nextInt(large ? 5 : 300), 5, large ? 400_000 : 300);
            PartitionedFile segment = fixture.write("spill " + seed, parts);
            assertTrue(
                    TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)),
                    compression + ", seed " + seed);
            PartitionedFile found = fixture.files.read(Path.of(segment.file()));
            assertTrue(
                    TemporaryFileFixture.same(parts, TemporaryFileFixture.read(found)), compression + ", seed " + seed);
            for (int part = 0; part < parts.size(); part++) {
                assertEquals(parts.get(part).isEmpty(), segment.bytes(part) == 0, "seed " + seed);
                assertEquals(segment.bytes(part), found.bytes(part), "seed " + seed);
            }
            assertEquals(Files.size(Path.of(segment.file())), fixture.files.bytes(), "seed " + seed);
            segment.delete();
            segment.delete();
            assertEquals(0, fixture.files.bytes());
            assertEquals(0, fixture.disk.open(), "descriptors, seed " + seed);
        }
        fixture.files.close();
        assertEquals(List.of(), TemporaryFileFixture.below(directory.resolve("a")));
        assertEquals(List.of(), TemporaryFileFixture.below(directory.resolve("b")));
    }

    @ParameterizedTest
    @EnumSource
    void cutsALargeFrameIntoSlicesAndReturnsItWhole(CompressionCodec compression) throws Exception {
        Random random = new Random(3);
        List<List<byte[]>> parts = List.of(
                List.of(TemporaryFileFixture.frame(random, 9, 256)),
                List.of(
                        TemporaryFileFixture.frame(random, 3 * FrameFormat.SLICE_BYTES + 77, 3),
                        TemporaryFileFixture.frame(random, FrameFormat.SLICE_BYTES, 256),
                        TemporaryFileFixture.frame(random, FrameFormat.SLICE_BYTES + 1, 256),
                        TemporaryFileFixture.frame(random, 2 * FrameFormat.SLICE_BYTES, 5)));
        try (SegmentFixtureScope scope = new SegmentFixtureScope(new TemporaryFileFixture(compression, directory))) {
            PartitionedFile segment = scope.fixture().write("large", parts);
            assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)));
        }
    }

    @Test
    void touchesNoDiskBeforeTheFirstBytesAndLeavesNothing() throws Exception {
        Path place = directory.resolve("not/there/yet");
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.LZ4, place);
        PartitionedFileWriter never = fixture.files.create("never", 3);
        never.begin(1);
        never.write(new byte[10], 0, 10);
        assertTrue(never.written() > 10);
        never.abandon();
        never.abandon();
        fixture.files.create("neither", 1).abandon();
        assertFalse(Files.exists(directory.resolve("not")), "nothing was written");

        PartitionedFileWriter some = fixture.files.create("some", 1);
        some.begin(0);
        some.write(TemporaryFileFixture.frame(new Random(1), 100_000, 256), 0, 100_000);
        assertEquals(1, TemporaryFileFixture.segments(place).size());
        assertEquals(Files.size(TemporaryFileFixture.segments(place).get(0)), fixture.files.bytes());
        assertTrue(fixture.files.bytes() > 0 && fixture.files.bytes() <= some.written());
        some.abandon();
        assertEquals(List.of(), TemporaryFileFixture.segments(place));
        assertEquals(0, fixture.files.bytes());
        fixture.files.close();
        fixture.files.close();
        assertEquals(List.of(), TemporaryFileFixture.below(place));
        assertEquals(0, fixture.disk.open());
    }

    @Test
    void storesIncompressibleBytes() {
        byte[] noise = TemporaryFileFixture.frame(new Random(2), 200_000, 256);
        byte[] text = TemporaryFileFixture.frame(new Random(2), 200_000, 2);
        try (SegmentFixtureScope scope =
                new SegmentFixtureScope(new TemporaryFileFixture(CompressionCodec.LZ4, directory))) {
            PartitionedFile segment = scope.fixture().write("mixed", List.of(List.of(noise), List.of(text)));
            assertEquals(noise.length + FrameFormat.HEADER_BYTES, segment.bytes(0));
            assertTrue(segment.bytes(1) < text.length * 2 / 3, () -> segment.bytes(1) + " bytes");
        }
    }

    @Test
    void compressesByThePurposeOfAFile() {
        CompressionSettings compression = new CompressionSettings(CompressionCodec.ZSTD, false, true);
        DiskSettings settings = new DiskSettings(List.of(directory), compression);
        List<List<byte[]>> parts = List.of(List.of(new byte[50_000]));
        try (LocalTemporaryFiles files = LocalTemporaryFiles.of(settings, new FakeTicker())) {
            assertTrue(
                    TemporaryFileFixture.write(files.create("spill", 1), parts).bytes(0) < 1_000);
            assertTrue(TemporaryFileFixture.write(files.create("map", 1, FilePurpose.SHUFFLE), parts)
                            .bytes(0)
                    > 50_000);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void createsFilesThatOnlyTheOwnerMayRead() throws IOException {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.NONE, directory);
        fixture.write("secret", List.of(List.of(new byte[] {1, 2, 3})));
        List<Path> made = TemporaryFileFixture.below(directory);
        assertEquals(4, made.size(), made::toString); // a lock file, a directory, a sub-directory, the file
        for (Path path : made) {
            assertEquals(
                    Files.isDirectory(path) ? "rwx------" : "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
                    path::toString);
        }
        fixture.files.close();
    }

    @Test
    void refusesCallsAfterItsEnd() throws Exception {
        TemporaryFileFixture fixture = new TemporaryFileFixture(CompressionCodec.LZ4, directory);
        PartitionedFileWriter early = fixture.files.create("early", 2);
        early.begin(0);
        byte[] bytes = TemporaryFileFixture.frame(new Random(1), 100_000, 256);
        early.write(bytes, 0, bytes.length);
        PartitionedFile kept = fixture.write("kept", List.of(List.of(bytes)));
        fixture.files.close();
        assertEquals(0, fixture.files.bytes());
        early.write(bytes, 0, 10);
        HearthException ended = assertThrows(HearthException.class, early::finish);
        assertEquals("CONTEXT_CLOSED", ended.code());
        PartitionedFileWriter late = fixture.files.create("late", 1);
        late.begin(0);
        assertEquals(
                "CONTEXT_CLOSED",
                assertThrows(HearthException.class, () -> late.write(bytes, 0, bytes.length))
                        .code());
        CorruptFileException gone = assertThrows(CorruptFileException.class, () -> TemporaryFileFixture.read(kept));
        assertTrue(gone.getMessage().startsWith(kept.file() + ": is missing"), gone.getMessage());
        assertEquals(List.of(), TemporaryFileFixture.below(directory));
        assertEquals(0, fixture.disk.open());
    }

    @Test
    void refusesSegmentsOutOfOrder() {
        try (SegmentFixtureScope scope =
                new SegmentFixtureScope(new TemporaryFileFixture(CompressionCodec.NONE, directory))) {
            PartitionedFileWriter writer = scope.fixture().files.create("spill", 3);
            assertThrows(IllegalStateException.class, () -> writer.write(new byte[1], 0, 1));
            writer.begin(1);
            assertThrows(IllegalArgumentException.class, () -> writer.begin(1));
            assertThrows(IllegalArgumentException.class, () -> writer.begin(0));
            assertThrows(IllegalArgumentException.class, () -> writer.begin(3));
            writer.write(new byte[0], 0, 0);
            PartitionedFile segment = writer.finish();
            assertThrows(IllegalStateException.class, writer::finish);
            assertThrows(IllegalStateException.class, () -> writer.begin(2));
            writer.abandon();
            assertTrue(Files.exists(Path.of(segment.file())));
            assertEquals(0, segment.bytes(1), "an empty frame is none");
        }
    }

    @Test
    void readsLongOffsets() {
        long[] offsets = {0, 5L << 30, 5L << 30, 9L << 30};
        SegmentIndex index = new SegmentIndex(offsets);
        offsets[1] = 1;
        assertEquals(3, index.segments());
        assertEquals(List.of(5L << 30, 0L, 4L << 30), List.of(index.bytes(0), index.bytes(1), index.bytes(2)));
        SegmentIndex longAtTheEnd = new SegmentIndex(new long[] {0, 7, 3L << 30});
        assertEquals(List.of(7L, (3L << 30) - 7), List.of(longAtTheEnd.bytes(0), longAtTheEnd.bytes(1)));
        SegmentIndex small = new SegmentIndex(new long[] {0, 7, 9});
        assertEquals(List.of(2, 7L, 2L), List.of(small.segments(), small.bytes(0), small.bytes(1)));
    }

    @Test
    void readsItsSettings() {
        assertEquals(
                List.of(Path.of(System.getProperty("java.io.tmpdir"))),
                DiskSettings.from(Settings.empty()).directories());
        assertEquals(
                List.of(Path.of("/a"), Path.of("b")),
                DiskSettings.from(Settings.empty().with("test", "hearth.local.dir", "/a, b,/a"))
                        .directories());
        HearthException refused = assertThrows(
                HearthException.class,
                () -> DiskSettings.from(Settings.empty().with("test", "hearth.local.dir", " , ")));
        assertTrue(refused.getMessage().contains("paths separated by commas"), refused.getMessage());
    }

    @Test
    void openingsDoNotShareBytes() throws Exception {
        Random random = new Random(4);
        List<List<byte[]>> parts = List.of(
                List.of(TemporaryFileFixture.frame(random, 5_000, 3), TemporaryFileFixture.frame(random, 70_000, 256)),
                List.of(TemporaryFileFixture.frame(random, 300_000, 3)));
        try (SegmentFixtureScope scope =
                new SegmentFixtureScope(new TemporaryFileFixture(CompressionCodec.LZ4, directory))) {
            PartitionedFile segment = scope.fixture().write("spill", parts);
            RecordInput first = new RecordInput();
            RecordInput second = new RecordInput();
            try (SegmentInput one = segment.open(0);
                    SegmentInput other = segment.open(0)) {
                assertTrue(one.next(first));
                assertTrue(one.next(first));
                assertTrue(other.next(second));
                assertArrayEquals(parts.get(0).get(1), bytes(first));
                assertArrayEquals(parts.get(0).get(0), bytes(second));
                assertFalse(one.next(first));
                assertFalse(one.next(first));
            }
        }
    }

    private static byte[] bytes(RecordInput in) {
        return Arrays.copyOfRange(in.array(), in.position(), in.limit());
    }

    /** Closes a fixture at the end of its test. */
    private record SegmentFixtureScope(TemporaryFileFixture fixture) implements AutoCloseable {
        @Override
        public void close() {
            fixture.files.close();
            assertEquals(0, fixture.disk.open(), "descriptors left open");
        }
    }
}
