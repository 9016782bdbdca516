package dev.hearth.engine.internal.compress;

import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;

/**
 * Adapts the codecs of the compression library to {@link BlockCompressor} and {@link BlockDecompressor}. No other class
 * uses that library, so it can be replaced here. Stateless.
 */
final class BlockCodecs {
    private BlockCodecs() {}

    static BlockCompressor lz4Compressor() {
        return new CompressorAdapter(new Lz4Compressor());
    }

    static BlockDecompressor lz4Decompressor() {
        return new DecompressorAdapter(new Lz4Decompressor());
    }

    static BlockCompressor zstdCompressor() {
        return new CompressorAdapter(new ZstdCompressor());
    }

    static BlockDecompressor zstdDecompressor() {
        return new DecompressorAdapter(new ZstdDecompressor());
    }

    static BlockCompressor snappyCompressor() {
        return new CompressorAdapter(new SnappyCompressor());
    }

    static BlockDecompressor snappyDecompressor() {
        return new DecompressorAdapter(new SnappyDecompressor());
    }

    private record CompressorAdapter(Compressor codec) implements BlockCompressor {
        @Override
        public int bound(int length) {
            return codec.maxCompressedLength(length);
        }

        @Override
        public int compress(byte[] bytes, int from, int length, byte[] out, int at) {
            return codec.compress(bytes, from, length, out, at, out.length - at);
        }
    }

    private record DecompressorAdapter(Decompressor codec) implements BlockDecompressor {
        @Override
        public void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
                throws CorruptCompressedBlockException {
            int got;
            try {
                got = codec.decompress(block, from, blockLength, out, at, length);
            } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException corruption) {
                throw new CorruptCompressedBlockException(
                        "block of " + blockLength + " bytes: cannot be decompressed (expected: " + length + " bytes)",
                        corruption);
            }
            if (got != length) {
                throw new CorruptCompressedBlockException("block of " + blockLength + " bytes: decompresses to " + got
                        + " bytes (expected: " + length + ")");
            }
        }
    }
}
