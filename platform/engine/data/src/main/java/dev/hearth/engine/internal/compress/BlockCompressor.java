package dev.hearth.engine.internal.compress;

/** Compressor of blocks of bytes, each of which can be decompressed without the others. Owned by one thread. */
public interface BlockCompressor {
    /**
     * Upper bound on the compressed size of a block of {@code length} bytes. {@link #compress} needs that many bytes in
     * its output array.
     */
    int bound(int length);

    /**
     * Compresses a block, {@code length} bytes at index {@code from}, and writes it to {@code out} from index {@code
     * at} on. Returns the compressed size.
     */
    int compress(byte[] bytes, int from, int length, byte[] out, int at);
}
