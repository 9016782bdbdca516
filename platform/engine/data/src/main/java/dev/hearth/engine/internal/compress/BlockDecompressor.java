package dev.hearth.engine.internal.compress;

/**
 * Decompresses the blocks that a {@link BlockCompressor} has compressed. Never accesses bytes outside the given ranges,
 * even if a block is corrupt. Owned by one thread.
 */
public interface BlockDecompressor {
    /**
     * Decompresses a block, {@code blockLength} bytes at index {@code from}, and writes it to {@code out} from index
     * {@code at} on. Fails if the decompressed size is not {@code length}.
     */
    void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws CorruptCompressedBlockException;
}
