package dev.hearth.engine.internal.compress;

/** Compressor of independent blocks. Owned by one thread. */
public interface BlockCompressor {
    /**
     * Upper bound on the compressed size of a block of {@code length} bytes. {@link #compress} needs that many bytes in
     * its output array.
     */
    int bound(int length);

    /** Compresses a block into {@code out}, starting at index {@code at}. Returns the compressed size. */
    int compress(byte[] bytes, int from, int length, byte[] out, int at);
}
