package dev.hearth.engine.internal.compress;

/** Counterpart of {@link BlockCompressor}. Never accesses bytes outside the given ranges. Owned by one thread. */
public interface BlockDecompressor {
    /** Decompresses a block into {@code length} bytes of {@code out}; rejects a block of another decompressed size. */
    void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws CorruptCompressedBlockException;
}
