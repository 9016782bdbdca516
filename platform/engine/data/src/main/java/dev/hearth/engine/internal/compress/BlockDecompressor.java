package dev.hearth.engine.internal.compress;

/** One thread's hand at reading what a {@link BlockCompressor} wrote. Reads and writes nothing outside of the ranges it is given. */
public interface BlockDecompressor {
    /** Fills {@code length} bytes of {@code out}; refuses a block that does not give exactly so many. */
    void decompress(byte[] block, int from, int blockLength, byte[] out, int at, int length)
            throws CorruptCompressedBlockException;
}
