package dev.hearth.engine.internal.compress;

/**
 * Decompresses the blocks that a {@link BlockCompressor} has compressed. Never accesses bytes outside the given ranges,
 * even if a block is corrupt. Owned by one thread.
 */
public interface BlockDecompressor {
    /**
     * Decompresses a block into {@code out}, starting at index {@code at}. Fails if the decompressed size is not
     * {@code length}.
     */
    void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws CorruptCompressedBlockException;
}
