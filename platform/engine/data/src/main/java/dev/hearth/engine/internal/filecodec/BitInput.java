package dev.hearth.engine.internal.filecodec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads unsigned numbers of a given number of bits, the highest bit first, as the bzip2 format requires. Owned by one
 * thread.
 */
final class BitInput {
    /** Upper bound on the number of bits that one call of {@link #peek} or {@link #read} may request. */
    static final int BITS_MAX = 32;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private long bits; // bits read from the input: the lowest `count` of them are unread
    private int count;
    private int padding; // number of padding bits in `bits`, which follow the end of the input

    BitInput(InputStream in) {
        this.in = in;
    }

    /** Returns the next {@code wanted} bits without consuming them. Bits after the end of the input are 0. */
    int peek(int wanted) throws IOException {
        if (count < wanted) {
            fill(wanted);
        }
        return (int) ((bits >>> (count - wanted)) & ((1L << wanted) - 1));
    }

    private void fill(int wanted) throws IOException {
        while (count < wanted) {
            if (position == limit) {
                position = 0;
                limit = Math.max(0, in.read(buffer, 0, buffer.length));
            }
            if (limit == 0) {
                padding += Byte.SIZE;
                bits <<= Byte.SIZE;
            } else {
                bits = bits << Byte.SIZE | (buffer[position++] & 0xFF);
            }
            count += Byte.SIZE;
        }
    }

    void skip(int passed) throws IOException {
        count -= passed;
        if (count < padding) {
            throw new EOFException("the file ends in the middle of compressed data");
        }
    }

    int read(int wanted) throws IOException {
        int value = peek(wanted);
        skip(wanted);
        return value;
    }

    boolean readFlag() throws IOException {
        return read(1) != 0;
    }

    /** Skips the remaining bits of the current byte if some of its bits were read already. */
    void align() {
        count -= count % Byte.SIZE;
    }

    /** Returns whether the input is exhausted. Called only between two bytes. */
    boolean isAtEnd() throws IOException {
        peek(Byte.SIZE);
        return count == padding;
    }

    void close() throws IOException {
        in.close();
    }
}
