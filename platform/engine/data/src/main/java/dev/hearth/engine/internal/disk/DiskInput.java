package dev.hearth.engine.internal.disk;

import java.io.Closeable;
import java.io.IOException;

/** Open file with random access. Used by one thread at a time; an interrupt of that thread does not close the file. */
public interface DiskInput extends Closeable {
    /**
     * Reads at most {@code length} bytes from file offset {@code position}. Returns the number of bytes read, or -1 at
     * the end of the file.
     */
    int read(long position, byte[] into, int at, int length) throws IOException;

    long size() throws IOException;
}
