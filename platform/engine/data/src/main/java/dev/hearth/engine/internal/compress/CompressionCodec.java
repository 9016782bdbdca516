package dev.hearth.engine.internal.compress;

import java.util.Locale;
import java.util.Optional;

/**
 * Compression codecs for data on disk and on the network. File formats contain the number of a codec, so a number is
 * never reused.
 */
public enum CompressionCodec {
    NONE(0),
    LZ4(1),
    ZSTD(2),
    SNAPPY(3);

    private final int number;

    CompressionCodec(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    public static Optional<CompressionCodec> numbered(int number) {
        for (CompressionCodec one : values()) {
            if (one.number == number) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** Creates a compressor for this codec, which must not be {@code NONE}. One thread may use the compressor. */
    public BlockCompressor compressor() {
        return switch (this) {
            case LZ4 -> BlockCodecs.lz4Compressor();
            case ZSTD -> BlockCodecs.zstdCompressor();
            case SNAPPY -> BlockCodecs.snappyCompressor();
            case NONE ->
                throw new IllegalStateException("compression none: has no compressor (expected: bytes as they are)");
        };
    }

    /** Creates a decompressor for this codec, which must not be {@code NONE}. One thread may use the decompressor. */
    public BlockDecompressor decompressor() {
        return switch (this) {
            case LZ4 -> BlockCodecs.lz4Decompressor();
            case ZSTD -> BlockCodecs.zstdDecompressor();
            case SNAPPY -> BlockCodecs.snappyDecompressor();
            case NONE ->
                throw new IllegalStateException("compression none: has no decompressor (expected: bytes as they are)");
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
