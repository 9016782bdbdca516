package dev.hearth.packages.internal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Body of an answer that has to have the announced length: the JDK reports the end of a connection as the end of the
 * body. Used by one thread.
 */
final class WholeBody extends FilterInputStream {
    private final long length; // negative if it is not known
    private long seen;

    WholeBody(InputStream in, long length) {
        super(in);
        this.length = length;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? -1 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        int read = super.read(bytes, offset, count);
        count(read);
        return read;
    }

    private void count(int read) throws IOException {
        if (read >= 0) {
            seen += read;
        } else if (length >= 0 && seen != length) {
            throw new IOException("the connection ended after " + seen + " of " + length + " bytes");
        }
    }
}
