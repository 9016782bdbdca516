package dev.hearth.engine.internal.disk;

import java.io.IOException;

/** Source of the bytes of a file or of one of its segments, which are on disk or in memory. Owned by one thread. */
public interface SegmentSource extends AutoCloseable {
    /**
     * Reads at most {@code length} bytes from file offset {@code position} into {@code into}, from index {@code at} on.
     * Returns the number of bytes read, or -1 at the end.
     */
    int read(long position, byte[] into, int at, int length) throws IOException;

    /**
     * Called when the bytes from file offset {@code position} on are corrupt. Switches to another copy of these bytes,
     * or returns false if there is no other copy.
     */
    default boolean renew(long position) throws IOException {
        return false;
    }

    @Override
    void close();
}
