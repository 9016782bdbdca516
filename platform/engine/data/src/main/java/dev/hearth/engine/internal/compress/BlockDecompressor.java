package dev.hearth.engine.internal.compress;

/**
 * Decompressor of the blocks of a {@link BlockCompressor}. Never accesses bytes outside the given ranges. Owned by one
 * thread.
 */
public interface BlockDecompressor {
    /**
     * Decompresses a block into {@code length} bytes of {@code out}; fails if the block has another decompressed size.
     */
    void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws CorruptCompressedBlockException;
}
