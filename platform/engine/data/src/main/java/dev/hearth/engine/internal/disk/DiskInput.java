package dev.hearth.engine.internal.disk;

import java.io.Closeable;
import java.io.IOException;

/** Open file with random access. Used by one thread at a time; an interrupt of that thread does not close it. */
public interface DiskInput extends Closeable {
    /** Reads some of the bytes from {@code position}; returns -1 at the end of the file. */
    int read(long position, byte[] into, int at, int length) throws IOException;

    long size() throws IOException;
}
