package dev.hearth.engine.internal.compress;

/** One thread's hand at making blocks smaller; each block stands for itself. */
public interface BlockCompressor {
    /** The most bytes that a block of so many takes, and the room that {@link #compress} wants. */
    int bound(int length);

    /** Compresses a block into {@code out}, from {@code at} on; returns the bytes written. */
    int compress(byte[] bytes, int from, int length, byte[] out, int at);
}
