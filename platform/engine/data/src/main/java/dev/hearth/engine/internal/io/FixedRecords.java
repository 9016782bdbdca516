package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.spi.error.ErrorCode;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Iterator over the records of a split, all of which have the same length in bytes. The split has only whole records.
 * Owned by one thread; closes its file at the end.
 */
public final class FixedRecords implements Iterator<byte[]>, FileElements {
    private static final int CHUNK_BYTES = 256 * 1024;

    private final FileSplit part;
    private final int recordBytes;
    private final SplitInput in;
    private final byte[] buffer;
    private long wanted; // number of bytes of the split that are still unread
    private int position;
    private int limit;

    public FixedRecords(FileSplit part, int recordBytes, InputAccess access) {
        if (recordBytes <= 0 || part.length() % recordBytes != 0) {
            throw ErrorCode.BAD_ARGUMENT.failure("file " + part.path() + ": a split of " + part.length()
                    + " bytes (expected: whole records of " + recordBytes + " bytes)");
        }
        this.part = part;
        this.recordBytes = recordBytes;
        this.buffer = new byte[Math.max(recordBytes, CHUNK_BYTES / recordBytes * recordBytes)];
        this.wanted = part.length();
        this.in = new SplitInput(part, part.from(), FileCodec.NONE, access);
    }

    @Override
    public boolean hasNext() {
        if (limit - position < recordBytes) {
            fill();
        }
        return limit - position >= recordBytes;
    }

    @Override
    public byte[] next() {
        if (!hasNext()) {
            throw new NoSuchElementException("records of " + part.path());
        }
        byte[] record = new byte[recordBytes];
        System.arraycopy(buffer, position, record, 0, recordBytes);
        position += recordBytes;
        return record;
    }

    private void fill() {
        position = 0;
        limit = 0;
        while (limit < buffer.length && wanted > 0) {
            int read = in.read(buffer, limit, (int) Math.min(wanted, Math.min(CHUNK_BYTES, buffer.length - limit)));
            if (read < 0) { // the file ended early, which is possible only if missing data is ignored
                wanted = 0;
            } else {
                limit += read;
                wanted -= read;
            }
        }
        if (wanted == 0) {
            close();
        }
    }

    @Override
    public long bytesRead() {
        return in.bytesRead();
    }

    @Override
    public void close() {
        in.close();
    }
}
