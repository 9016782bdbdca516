package dev.hearth.engine.internal.spill;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.error.ErrorCode;

/**
 * Iterates over the entries in one part of a spilled file, in the format of {@link SpillEntryWriter}. Read errors name
 * the file. Owned by one thread.
 */
public final class SpillEntryReader implements AutoCloseable {
    private final PartitionedFile segment;
    private final String content;
    private final int headBytes;
    private final SegmentInput file;
    private final RecordInput in = new RecordInput();
    private int start;
    private int end;

    /**
     * Creates a reader for part {@code part} of {@code segment}, whose entries have heads of {@code headBytes} bytes.
     * {@code content} describes the entries in errors, for example {@code records}.
     */
    public SpillEntryReader(PartitionedFile segment, int part, int headBytes, String content) {
        this.segment = segment;
        this.content = content;
        this.headBytes = headBytes;
        this.file = segment.open(part);
    }

    /** Advances to the next entry, whether or not the current one was read; returns false after the last entry. */
    public boolean next() {
        in.moveTo(end);
        try {
            if (!in.hasMore() && !file.next(in)) {
                return false;
            }
            start = in.position();
            in.expect(headBytes);
            in.moveTo(start + headBytes);
            int length = in.readInt();
            in.expect(length);
            end = in.position() + length;
        } catch (CorruptFileException | CorruptRecordException failure) {
            throw corruption(failure);
        }
        return true;
    }

    /**
     * Reads the head (first field) of the current entry, in a file whose heads are ints, and moves to the entry's body.
     */
    public int headOfInt() {
        in.moveTo(start);
        int head = in.readInt();
        in.moveTo(content());
        return head;
    }

    /**
     * Reads the head (first field) of the current entry, in a file whose heads are longs, and moves to the entry's
     * body.
     */
    public long headOfLong() {
        in.moveTo(start);
        long head = in.readLong();
        in.moveTo(content());
        return head;
    }

    /** Position of the current entry's head in {@link #bytes}. */
    int start() {
        return start;
    }

    /** Position of the current entry's body in {@link #bytes}, after the head and the length. */
    public int content() {
        return start + headBytes + Integer.BYTES;
    }

    /** Position in {@link #bytes} of the end of the current entry. */
    public int end() {
        return end;
    }

    /**
     * Returns the buffer that contains the entry. Its position is {@link #content} at first, and callers may move it.
     */
    public RecordInput bytes() {
        return in;
    }

    /**
     * Creates the error to throw when an entry of this file cannot be read because of {@code failure}; it names the
     * file.
     */
    public RuntimeException corruption(Exception failure) {
        String found = failure instanceof CorruptFileException
                ? String.valueOf(failure.getMessage())
                : segment.file() + ": " + failure.getMessage();
        return ErrorCode.FILE_DAMAGED.failure(content + " spilled to disk: " + found, failure);
    }

    @Override
    public void close() {
        file.close();
    }

    /** Closes the reader and deletes its file. */
    public void delete() {
        file.close();
        segment.delete();
    }
}
