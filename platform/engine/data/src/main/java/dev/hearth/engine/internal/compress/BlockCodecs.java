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

/** The library's codecs of blocks in our words; the one class that names them. Stateless. */
final class BlockCodecs {
    private BlockCodecs() {}

    static BlockCompressor lz4Compressor() {
        return new Shrinking(new Lz4Compressor());
    }

    static BlockDecompressor lz4Decompressor() {
        return new Growing(new Lz4Decompressor());
    }

    static BlockCompressor zstdCompressor() {
        return new Shrinking(new ZstdCompressor());
    }

    static BlockDecompressor zstdDecompressor() {
        return new Growing(new ZstdDecompressor());
    }

    static BlockCompressor snappyCompressor() {
        return new Shrinking(new SnappyCompressor());
    }

    static BlockDecompressor snappyDecompressor() {
        return new Growing(new SnappyDecompressor());
    }

    private record Shrinking(Compressor codec) implements BlockCompressor {
        @Override
        public int bound(int length) {
            return codec.maxCompressedLength(length);
        }

        @Override
        public int compress(byte[] bytes, int from, int length, byte[] out, int at) {
            return codec.compress(bytes, from, length, out, at, out.length - at);
        }
    }

    private record Growing(Decompressor codec) implements BlockDecompressor {
        @Override
        public void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
                throws CorruptCompressedBlockException {
            int got;
            try {
                got = codec.decompress(block, from, blockLength, out, at, length);
            } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException damage) {
                throw new CorruptCompressedBlockException(
                        "block of " + blockLength + " bytes: does not decompress (expected: to " + length + ")",
                        damage);
            }
            if (got != length) {
                throw new CorruptCompressedBlockException(
                        "block of " + blockLength + " bytes: gives " + got + " (expected: " + length + ")");
            }
        }
    }
}
