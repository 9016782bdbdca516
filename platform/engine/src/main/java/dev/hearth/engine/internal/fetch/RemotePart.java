package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.PartSource;
import dev.hearth.engine.internal.disk.SegmentPart;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a part that another executor wrote: in a file of this machine, or sent here. Where they are not as they were
 * written they are sent once more. Owned by the reading task's thread.
 */
final class RemotePart implements PartSource {
    private final SegmentPart place;
    private final Sending again;
    private @Nullable PartSource file;
    private byte @Nullable [] bytes;
    private boolean renewed;

    /** Has the part sent; waits for it. */
    interface Sending {
        byte[] send() throws IOException;
    }

    /** Of a file that can be read here, or of what was sent already. */
    RemotePart(SegmentPart place, @Nullable PartSource file, byte @Nullable [] bytes, Sending again) {
        this.place = place;
        this.file = file;
        this.bytes = bytes;
        this.again = again;
    }

    @Override
    public int read(long position, byte[] into, int at, int length) throws IOException {
        byte[] sent = bytes;
        if (sent == null) {
            PartSource open = file;
            if (open == null) {
                throw new IOException("the part was closed");
            }
            return open.read(position, into, at, length);
        }
        int from = Math.toIntExact(position - place.offset());
        int count = Math.min(length, sent.length - from);
        if (count <= 0) {
            return -1;
        }
        System.arraycopy(sent, from, into, at, count);
        return count;
    }

    @Override
    public boolean renew(long position) throws IOException {
        if (renewed) {
            return false;
        }
        renewed = true;
        closeFile();
        bytes = null; // not both at once
        bytes = again.send();
        return true;
    }

    private void closeFile() {
        PartSource open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closeFile();
        bytes = null;
    }
}
