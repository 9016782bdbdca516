package dev.hearth.engine.internal.compress;

/** Compressor of independent blocks. Owned by one thread. */
public interface BlockCompressor {
    /** Upper bound of the compressed size of {@code length} bytes; {@link #compress} needs that much room. */
    int bound(int length);

    /** Compresses a block into {@code out} at {@code at}; returns the compressed size. */
    int compress(byte[] bytes, int from, int length, byte[] out, int at);
}
