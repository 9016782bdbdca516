package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.SpillingOutput.Written;
import dev.hearth.engine.internal.encryption.EncryptedBlocks;
import dev.hearth.engine.internal.encryption.EncryptionSettings;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.FrameFormat;
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

/** Encrypted files cannot be read, nor modified undetected, without the key. */
class EncryptedFileTest {
    private static final Settings OWN =
            EncryptionSettings.withNewKey(Settings.empty().with("test", "hearth.io.encryption.enabled", "true"));
    private static final byte[] WORDS =
            "the quick brown fox jumps over the lazy dog ".repeat(50).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    private LocalTemporaryFiles files(CompressionCodec compression, EncryptionSettings encryption) {
        return LocalTemporaryFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(compression, true, true), encryption),
                new FakeTicker());
    }

    private LocalTemporaryFiles files(CompressionCodec compression) {
        return files(compression, EncryptionSettings.from(OWN));
    }

    private static boolean holdsWords(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("brown");
    }

    @ParameterizedTest
    @EnumSource
    void readsBackWhateverWasWritten(CompressionCodec compression) throws Exception {
        try (LocalTemporaryFiles files = files(compression);
                LocalTemporaryFiles others = files(compression)) {
            for (int seed = 0; seed < 20; seed++) {
                Random random = new Random(seed);
                List<List<byte[]>> parts = TemporaryFileFixture.parts(random, 1 + random.nextInt(20), 5, 30_000);
                PartitionedFile segment = TemporaryFileFixture.write(files.create("spill", parts.size()), parts);
                assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)), "seed " + seed);
                PartitionedFile found = others.read(Path.of(segment.file()));
                assertTrue(
                        TemporaryFileFixture.same(parts, TemporaryFileFixture.read(found)),
                        "another process, seed " + seed);
            }
            byte[] large = TemporaryFileFixture.frame(new Random(1), 3 * FrameFormat.SLICE_BYTES + 77, 3);
            byte[] noise = TemporaryFileFixture.frame(new Random(1), 2 * FrameFormat.SLICE_BYTES, 256);
            List<List<byte[]>> parts = List.of(List.of(large, noise, large));
            assertTrue(TemporaryFileFixture.same(
                    parts, TemporaryFileFixture.read(TemporaryFileFixture.write(files.create("large", 1), parts))));
        }
    }

    @Test
    void nothingCanBeReadWithoutTheKey() throws Exception {
        List<List<byte[]>> parts = List.of(List.of(WORDS));
        try (LocalTemporaryFiles files = files(CompressionCodec.NONE);
                LocalTemporaryFiles clear = files(CompressionCodec.NONE, EncryptionSettings.NONE);
                LocalTemporaryFiles strangers =
                        files(CompressionCodec.NONE, EncryptionSettings.from(EncryptionSettings.withNewKey(OWN)))) {
            PartitionedFile segment = TemporaryFileFixture.write(files.create("spill", 1), parts);
            PartitionedFile open = TemporaryFileFixture.write(clear.create("spill", 1), parts);
            assertFalse(holdsWords(Path.of(segment.file())));
            assertTrue(holdsWords(Path.of(open.file())), "in clear it would");
            assertDamaged(clear, segment.segment(0));
            assertDamaged(strangers, segment.segment(0));
            assertDamaged(files, open.segment(0));
        }
    }

    @Test
    void detectsAMovedSegmentWithItsChecksum() throws Exception {
        try (LocalTemporaryFiles files = files(CompressionCodec.NONE)) {
            PartitionedFile segment =
                    TemporaryFileFixture.write(files.create("spill", 2), List.of(List.of(WORDS), List.of(WORDS)));
            FileSegment first = segment.segment(0);
            FileSegment second = segment.segment(1);
            byte[] bytes = Files.readAllBytes(Path.of(segment.file()));
            int at = (int) second.offset();
            System.arraycopy(bytes, (int) first.offset(), bytes, at, (int) first.bytes());
            int stored = FrameFormat.readInt(bytes, at + FrameFormat.STORED_AT);
            int checksum = new FrameFormat(second.id()).checksum(1, 0, 0, bytes, at, stored);
            FrameFormat.writeInt(bytes, at + FrameFormat.CHECKSUM_AT, checksum); // as an attacker who moves it would
            Files.write(Path.of(segment.file()), bytes);
            assertDamaged(files, second);
        }
    }

    private static void assertDamaged(LocalTemporaryFiles files, FileSegment part) {
        try (SegmentInput in = files.open(part)) {
            assertThrows(CorruptFileException.class, () -> in.next(new RecordInput()));
        }
    }

    @Test
    void encryptsValuesThatAreTooLargeForMemory() throws Exception {
        try (LocalTemporaryFiles files = files(CompressionCodec.NONE)) {
            SpillingOutput out = new SpillingOutput(1_000, () -> files, "value");
            for (int n = 0; n < 500; n++) {
                out.write(WORDS, 0, WORDS.length);
            }
            Written written = out.finish();
            Path file = Path.of(written.file().orElseThrow().file());
            byte[] sealed = Files.readAllBytes(file);
            assertEquals(sealed.length, written.bytes());
            assertFalse(holdsWords(file));
            byte[] value = EncryptedBlocks.opened(files.key().orElseThrow(), Bytes.owning(sealed), "value")
                    .toArray();
            assertEquals(500 * WORDS.length, value.length);
            assertTrue(new String(value, StandardCharsets.UTF_8).endsWith("lazy dog "));
        }
    }
}
