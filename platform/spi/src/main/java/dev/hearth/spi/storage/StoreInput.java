package dev.hearth.spi.storage;

import java.io.IOException;
import java.io.InputStream;

/**
 * Input of the bytes of a stored file. A read that fails throws {@link IOException}; it never returns wrong bytes.
 * Owned by one thread; an interrupt of that thread does not close the input.
 */
public abstract class StoreInput extends InputStream {
    /** The offset in the file of the next byte. */
    public abstract long position();

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public abstract int read(byte[] bytes, int from, int length) throws IOException;
}
