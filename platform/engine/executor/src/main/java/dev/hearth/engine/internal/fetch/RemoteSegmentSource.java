package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a part that another executor wrote: in a file of this machine, or sent here. Where they are not as they were
 * written they are sent once more. Owned by the reading task's thread.
 */
final class RemoteSegmentSource implements SegmentSource {
    private final Sending again;
    private @Nullable SegmentSource from; // null once it is closed
    private boolean renewed;
    private boolean fileMissing;

    /** Has the part sent; waits for it. */
    interface Sending {
        /** {@code fileMissing} tells that there is no such file here. */
        SegmentSource send(boolean fileMissing) throws IOException;
    }

    RemoteSegmentSource(SegmentSource from, Sending again) {
        this.from = from;
        this.again = again;
    }

    @Override
    public int read(long position, byte[] into, int at, int length) throws IOException {
        SegmentSource open = from;
        if (open == null) {
            throw new IOException("the part was closed");
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
        from = again.send(fileMissing);
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
