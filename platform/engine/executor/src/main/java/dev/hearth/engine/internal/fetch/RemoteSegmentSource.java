package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a segment that another executor wrote, read from a file on this machine or from a fetch buffer. If the bytes
 * are corrupt, the segment is fetched once more. Owned by the reading task's thread.
 */
final class RemoteSegmentSource implements SegmentSource {
    private final Refetch refetch;
    private @Nullable SegmentSource from; // null when closed
    private boolean renewed;
    private boolean fileMissing;

    /**
     * Fetches a segment again, after the bytes read first were corrupt or their file was missing, and waits until the
     * segment has arrived.
     */
    interface Refetch {
        /**
         * Fetches the segment over the network. {@code fileMissing} is set if this process first tried to read the
         * other executor's file directly and did not find it. After a successful fetch, later segments of that executor
         * are then never read from files.
         */
        SegmentSource fetch(boolean fileMissing) throws IOException;
    }

    RemoteSegmentSource(SegmentSource from, Refetch refetch) {
        this.from = from;
        this.refetch = refetch;
    }

    @Override
    public int read(long position, byte[] into, int at, int length) throws IOException {
        SegmentSource open = from;
        if (open == null) {
            throw new IOException("the segment is closed");
        }
        try {
            return open.read(position, into, at, length);
        } catch (FileNotFoundException missing) {
            fileMissing = true;
            throw missing;
        }
    }

    @Override
    public boolean renew(long position) throws IOException {
        if (renewed) {
            return false;
        }
        renewed = true;
        close();
        from = refetch.fetch(fileMissing);
        return true;
    }

    @Override
    public void close() {
        SegmentSource open = from;
        from = null;
        if (open != null) {
            open.close();
        }
    }
}
