package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.spi.shuffle.FileSegment;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Input stream over the bytes of a broadcast value, which are stored in a sequence of files. Owned by the reading
 * task's thread.
 */
final class BroadcastInput extends InputStream {
    private static final int DRAIN_BYTES = 64 * 1024;

    private final TemporaryFiles files;
    private final List<FileSegment> parts;
    private final CRC32C check = new CRC32C();
    private final byte[] one = new byte[1];
    private int next; // index of the file to open next
    private long left; // bytes left to read in the open file
    private long position; // read offset in the open file
    private @Nullable SegmentSource open;
    private long total;

    BroadcastInput(TemporaryFiles files, List<FileSegment> parts) {
        this.files = files;
        this.parts = parts;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        SegmentSource source = source();
        if (source == null) {
            return -1;
        }
        int count = source.read(position, into, at, (int) Math.min(length, left));
        if (count < 0) {
            throw new EOFException(
                    parts.get(next - 1).file() + ": ends after " + position + " bytes (expected: " + left + " more)");
        }
        check.update(into, at, count);
        position += count;
        left -= count;
        total += count;
        return count;
    }

    private @Nullable SegmentSource source() {
        while (left == 0) {
            close();
            if (next == parts.size()) {
                return null;
            }
            FileSegment part = parts.get(next++);
            position = part.offset();
            left = part.bytes();
            open = files.source(part);
        }
        return open;
    }

    /**
     * Reads the rest of the stream. Returns true if the whole stream had {@code bytes} bytes and the checksum {@code
     * checksum}, false also if it could not be read.
     */
    boolean isWhole(long bytes, long checksum) {
        byte[] rest = new byte[DRAIN_BYTES];
        try {
            int count = 0;
            while (count >= 0) {
                count = read(rest, 0, rest.length);
            }
            return total == bytes && check.getValue() == checksum;
        } catch (IOException unreadable) {
            return false;
        }
    }

    @Override
    public void close() {
        SegmentSource last = open;
        open = null;
        if (last != null) {
            last.close();
        }
    }
}
