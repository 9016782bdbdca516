package dev.hearth.engine.internal.filecodec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Base class of the input streams that decode files. It requests many decoded bytes at a time from its subclass, which
 * is faster than single bytes. Owned by one thread.
 */
abstract class DecodedInput extends InputStream {
    /**
     * Decodes at least one byte and at most {@code length} bytes, and returns their number. Returns -1 at the end of
     * the input. {@code length} is positive.
     */
    abstract int decode(byte[] bytes, int from, int length) throws IOException;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public final int read(byte[] bytes, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        return length == 0 ? 0 : decode(bytes, from, length);
    }
}
