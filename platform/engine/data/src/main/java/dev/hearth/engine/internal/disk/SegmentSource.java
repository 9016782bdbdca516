package dev.hearth.engine.internal.disk;

import java.io.IOException;

/** The bytes of a file, or of a part of one, wherever they are. Owned by one thread. */
public interface SegmentSource extends AutoCloseable {
    /** Reads some of the bytes from {@code position} of the file on; -1 where there are none. */
    int read(long position, byte[] into, int at, int length) throws IOException;

    /**
     * Gets the bytes from {@code position} on once more, for they are not what was written; false when there is no other place to
     * get them from.
     */
    default boolean renew(long position) throws IOException {
        return false;
    }

    @Override
    void close();
}
