package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentPart;
import dev.hearth.spi.rpc.Bytes;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A broadcast value as it is written: small ones stay in memory, others go to a file from their first full buffer on, so that
 * no value is in memory twice. Owned by one thread; what is not {@link #finish finished} is abandoned.
 */
final class BroadcastOutput extends OutputStream {
    /** From here on a value goes by way of a file. */
    static final int INLINE_BYTES = 64 * 1024;

    private static final int BUFFER_BYTES = 256 * 1024;
    private static final SegmentPart UNPLACED = new SegmentPart("", 0, 0, 0, 0);

    private final Supplier<ReceivedFile> files;
    private final CRC32C check = new CRC32C();
    private byte[] buffer = new byte[INLINE_BYTES];
    private int filled;
    private long written; // to the file
    private @Nullable ReceivedFile file;
    private @Nullable HearthException refusal; // of the file

    BroadcastOutput(Supplier<ReceivedFile> files) {
        this.files = files;
    }

    /** What became of a value: bytes, or a file of which {@code bytes} is empty. */
    record Written(Bytes inline, Optional<Segment> file, long bytes, long checksum) {}

    @Override
    public void write(int one) {
        makeRoom();
        buffer[filled++] = (byte) one;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        for (int done = 0; done < length; ) {
            makeRoom();
            int count = Math.min(length - done, buffer.length - filled);
            System.arraycopy(bytes, from + done, buffer, filled, count);
            filled += count;
            done += count;
        }
    }

    private void makeRoom() {
        if (filled < buffer.length) {
            return;
        }
        if (file == null) {
            buffer = Arrays.copyOf(buffer, BUFFER_BYTES);
            file = files.get();
        } else {
            flushBuffer(file);
        }
    }

    private void flushBuffer(ReceivedFile into) {
        check.update(buffer, 0, filled);
        try {
            into.write(buffer, filled);
        } catch (HearthException refused) {
            refusal = refused; // whoever writes takes it for a mistake of the value
            throw refused;
        }
        written += filled;
        filled = 0;
    }

    /** Why the file could not be written, if that is so. */
    Optional<HearthException> refusal() {
        return Optional.ofNullable(refusal);
    }

    Written finish() {
        ReceivedFile into = file;
        if (into == null) {
            return new Written(Bytes.owning(Arrays.copyOf(buffer, filled)), Optional.empty(), filled, 0);
        }
        flushBuffer(into);
        file = null;
        return new Written(Bytes.EMPTY, Optional.of(into.part(UNPLACED)), written, check.getValue());
    }

    void abandon() {
        ReceivedFile begun = file;
        file = null;
        if (begun != null) {
            begun.abandon();
        }
    }
}
