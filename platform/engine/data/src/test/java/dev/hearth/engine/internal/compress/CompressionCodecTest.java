package dev.hearth.engine.internal.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class CompressionCodecTest {
    private static final long SEED = 7;

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void roundTripsBlocksOfAnyLengthAndContent(CompressionCodec compression) throws CorruptCompressedBlockException {
        Random random = new Random(SEED);
        BlockCompressor compressor = compression.compressor();
        BlockDecompressor decompressor = compression.decompressor();
        for (int length : new int[] {1, 2, 17, 100, 4_096, 65_537, 300_000, 1 << 20}) {
            for (int kinds : new int[] {1, 5, 256}) {
                byte[] bytes = bytes(random, length, kinds);
                byte[] block = new byte[3 + compressor.bound(length)];
                int size = compressor.compress(bytes, 0, length, block, 3);
                byte[] out = new byte[length + 2];
                decompressor.decompress(block, 3, size, out, 1, length);
                assertArrayEquals(bytes, Arrays.copyOfRange(out, 1, length + 1), compression + " of " + length);
                assertEquals(0, out[0] + out[length + 1], "writes outside its range");
                assertTrue(kinds > 1 || length < 4_096 || size < length / 20, () -> compression + ": " + size);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void neverLeavesItsRangeOnCorruptBlocks(CompressionCodec compression) {
        Random random = new Random(SEED);
        byte[] bytes = bytes(random, 5_000, 20);
        BlockCompressor compressor = compression.compressor();
        byte[] block = new byte[compressor.bound(bytes.length)];
        int size = compressor.compress(bytes, 0, bytes.length, block, 0);
        int refused = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] changed = Arrays.copyOf(block, size);
            for (int n = random.nextInt(4); n >= 0; n--) {
                changed[random.nextInt(size)] = (byte) random.nextInt();
            }
            byte[] out = new byte[bytes.length + 64];
            try {
                compression.decompressor().decompress(changed, 0, size, out, 32, bytes.length);
            } catch (CorruptCompressedBlockException expected) {
                refused++;
            }
            for (int n = 0; n < 32; n++) {
                assertEquals(0, out[n] + out[out.length - 1 - n], "seed " + SEED + ", round " + round);
            }
        }
        assertTrue(refused > 0);
        assertThrows(
                CorruptCompressedBlockException.class,
                () -> compression.decompressor().decompress(block, 0, size, new byte[9_999], 0, 9_999),
                "a block of a smaller decompressed size");
        assertThrows(
                CorruptCompressedBlockException.class,
                () -> compression.decompressor().decompress(block, 0, size, new byte[9_999], 0, 4_999),
                "a block of a larger decompressed size");
    }

    @Test
    void isFoundByItsNumber() {
        for (CompressionCodec one : CompressionCodec.values()) {
            assertEquals(Optional.of(one), CompressionCodec.numbered(one.number()));
        }
        assertEquals(Optional.empty(), CompressionCodec.numbered(99));
        assertEquals(1, CompressionCodec.LZ4.number(), "numbers are part of file formats");
        assertEquals(2, CompressionCodec.ZSTD.number());
    }

    @Test
    void readsItsSettings() {
        CompressionSettings byDefault = CompressionSettings.from(Settings.empty());
        assertEquals(new CompressionSettings(CompressionCodec.LZ4, true, true), byDefault);
        CompressionSettings configured = CompressionSettings.from(Settings.empty()
                .with("test", "hearth.io.compression.codec", "zstd")
                .with("test", "hearth.shuffle.compress", "false"));
        assertEquals(CompressionCodec.NONE, configured.ofShuffles());
        assertEquals(CompressionCodec.ZSTD, configured.ofSpills());
        HearthException refused = assertThrows(
                HearthException.class,
                () -> CompressionSettings.from(Settings.empty().with("test", "hearth.io.compression.codec", "rar")));
        assertTrue(refused.getMessage().contains("one of [none, lz4, zstd, snappy]"), refused.getMessage());
        assertFalse(refused.getMessage().isBlank());
    }

    private static byte[] bytes(Random random, int length, int kinds) {
        byte[] bytes = new byte[length];
        for (int n = 0; n < length; n++) {
            bytes[n] = (byte) random.nextInt(kinds);
        }
        return bytes;
    }
}
