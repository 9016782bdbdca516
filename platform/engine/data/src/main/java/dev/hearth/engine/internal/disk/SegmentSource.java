package dev.hearth.engine.internal.disk;

import java.io.IOException;

/** Source of the bytes of a file or of one of its segments, on disk or in memory. Owned by one thread. */
public interface SegmentSource extends AutoCloseable {
    /** Reads some of the bytes from file offset {@code position}; returns -1 at the end. */
    int read(long position, byte[] into, int at, int length) throws IOException;

    /**
     * Called when the bytes from {@code position} are corrupt: switches to another copy of them. Returns false
     * if there is none.
     */
    default boolean renew(long position) throws IOException {
        return false;
    }

    @Override
    void close();
}
