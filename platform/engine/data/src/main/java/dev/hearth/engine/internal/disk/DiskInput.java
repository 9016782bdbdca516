package dev.hearth.engine.internal.disk;

import java.io.Closeable;
import java.io.IOException;

/** An open file. Used by one thread at a time, whose interrupt does not close it. */
public interface DiskInput extends Closeable {
    /** Reads some of the bytes from {@code position} on; -1 at the end of the file. */
    int read(long position, byte[] into, int at, int length) throws IOException;

    long size() throws IOException;
}
