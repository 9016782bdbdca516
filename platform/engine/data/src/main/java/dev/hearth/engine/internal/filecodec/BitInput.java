package dev.hearth.engine.internal.filecodec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads numbers of some bits, the highest bit first. Owned by one thread. */
final class BitInput {
    /** The most bits that can be asked for at once. */
    static final int BITS_MAX = 32;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private long bits; // the lowest `count` of it are still to be read
    private int count;
    private int made; // of these, bits behind the end

    BitInput(InputStream in) {
        this.in = in;
    }

    /** The next bits without reading them; zeros behind the end. */
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
                made += Byte.SIZE;
                bits <<= Byte.SIZE;
            } else {
                bits = bits << Byte.SIZE | (buffer[position++] & 0xFF);
            }
            count += Byte.SIZE;
        }
    }

    void skip(int passed) throws IOException {
        count -= passed;
        if (count < made) {
            throw new EOFException("it ends in the middle of compressed data");
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

    /** Passes over the rest of a byte that was begun. */
    void align() {
        count -= count % Byte.SIZE;
    }

    /** Whether nothing is left; to be asked at the beginning of a byte. */
    boolean isAtEnd() throws IOException {
        peek(Byte.SIZE);
        return count == made;
    }

    void close() throws IOException {
        in.close();
    }
}
