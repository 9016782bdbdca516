package dev.hearth.engine.internal.filecodec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Base class of decoders: an input stream that asks its subclass for many decoded bytes at a time. Owned by one
 * thread.
 */
abstract class DecodedInput extends InputStream {
    /** Decodes at least one and at most {@code length} bytes, which is positive; returns -1 at the end. */
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
