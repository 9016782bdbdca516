package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.compress.Compression;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.LargeOutput.Written;
import dev.hearth.engine.internal.record.RecordInput;
import dev.hearth.engine.internal.seal.EncryptionSettings;
import dev.hearth.engine.internal.seal.SealedBlocks;
import dev.hearth.spi.rpc.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are encrypted: nothing of them can be read, nor changed unnoticed, without the key. */
class SealedSegmentTest {
    private static final Settings OWN =
            EncryptionSettings.withNewKey(Settings.empty().with("test", "hearth.io.encryption.enabled", "true"));
    private static final byte[] WORDS =
            "the quick brown fox jumps over the lazy dog ".repeat(50).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    private LocalSegmentFiles files(Compression compression, EncryptionSettings encryption) {
        return LocalSegmentFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(compression, true, true), encryption),
                new FakeTicker());
    }

    private LocalSegmentFiles files(Compression compression) {
        return files(compression, EncryptionSettings.from(OWN));
    }

    private static boolean holdsWords(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("brown");
    }

    @ParameterizedTest
    @EnumSource
    void readsBackWhateverWasWritten(Compression compression) throws Exception {
        try (LocalSegmentFiles files = files(compression);
                LocalSegmentFiles others = files(compression)) {
            for (int seed = 0; seed < 20; seed++) {
                Random random = new Random(seed);
                List<List<byte[]>> parts = SegmentFixture.parts(random, 1 + random.nextInt(20), 5, 30_000);
                Segment segment = SegmentFixture.write(files.create("spill", parts.size()), parts);
                assertTrue(SegmentFixture.same(parts, SegmentFixture.read(segment)), "seed " + seed);
                Segment found = others.read(Path.of(segment.file()));
                assertTrue(SegmentFixture.same(parts, SegmentFixture.read(found)), "another process, seed " + seed);
            }
            byte[] large = SegmentFixture.frame(new Random(1), 3 * Frames.CHUNK_BYTES + 77, 3);
            byte[] noise = SegmentFixture.frame(new Random(1), 2 * Frames.CHUNK_BYTES, 256);
            List<List<byte[]>> parts = List.of(List.of(large, noise, large));
            assertTrue(SegmentFixture.same(
                    parts, SegmentFixture.read(SegmentFixture.write(files.create("large", 1), parts))));
        }
    }

    @Test
    void nothingCanBeReadWithoutTheKey() throws Exception {
        List<List<byte[]>> parts = List.of(List.of(WORDS));
        try (LocalSegmentFiles files = files(Compression.NONE);
                LocalSegmentFiles clear = files(Compression.NONE, EncryptionSettings.NONE);
                LocalSegmentFiles strangers =
                        files(Compression.NONE, EncryptionSettings.from(EncryptionSettings.withNewKey(OWN)))) {
            Segment segment = SegmentFixture.write(files.create("spill", 1), parts);
            Segment open = SegmentFixture.write(clear.create("spill", 1), parts);
            assertFalse(holdsWords(Path.of(segment.file())));
            assertTrue(holdsWords(Path.of(open.file())), "in clear it would");
            assertDamaged(clear, segment.place(0));
            assertDamaged(strangers, segment.place(0));
            assertDamaged(files, open.place(0));
        }
    }

    @Test
    void aPartThatWasMovedWithItsChecksumIsNoticed() throws Exception {
        try (LocalSegmentFiles files = files(Compression.NONE)) {
            Segment segment = SegmentFixture.write(files.create("spill", 2), List.of(List.of(WORDS), List.of(WORDS)));
            SegmentPart first = segment.place(0);
            SegmentPart second = segment.place(1);
            byte[] bytes = Files.readAllBytes(Path.of(segment.file()));
            int at = (int) second.offset();
            System.arraycopy(bytes, (int) first.offset(), bytes, at, (int) first.bytes());
            int stored = Frames.readInt(bytes, at + Frames.STORED_AT);
            int checksum = new Frames(second.id()).checksum(1, 0, 0, bytes, at, stored);
            Frames.writeInt(bytes, at + Frames.CHECKSUM_AT, checksum); // as whoever moves it on purpose would
            Files.write(Path.of(segment.file()), bytes);
            assertDamaged(files, second);
        }
    }

    private static void assertDamaged(LocalSegmentFiles files, SegmentPart part) {
        try (SegmentInput in = files.open(part)) {
            assertThrows(DamagedSegment.class, () -> in.next(new RecordInput()));
        }
    }

    @Test
    void sealsValuesThatAreTooLargeForMemory() throws Exception {
        try (LocalSegmentFiles files = files(Compression.NONE)) {
            LargeOutput out = new LargeOutput(1_000, () -> files, "value");
            for (int n = 0; n < 500; n++) {
                out.write(WORDS, 0, WORDS.length);
            }
            Written written = out.finish();
            Path file = Path.of(written.file().orElseThrow().file());
            byte[] sealed = Files.readAllBytes(file);
            assertEquals(sealed.length, written.bytes());
            assertFalse(holdsWords(file));
            byte[] value = SealedBlocks.opened(files.key().orElseThrow(), Bytes.owning(sealed), "value")
                    .toArray();
            assertEquals(500 * WORDS.length, value.length);
            assertTrue(new String(value, StandardCharsets.UTF_8).endsWith("lazy dog "));
        }
    }
}
