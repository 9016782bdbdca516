package dev.hearth.engine.internal.spill;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.error.ErrorCode;

/**
 * Goes over the entries of one part of a run, as {@link SpillEntryWriter} left them. What cannot be read fails by the name of the
 * file. Owned by one thread.
 */
public final class SpillEntryReader implements AutoCloseable {
    private final PartitionedFile segment;
    private final String content;
    private final int headBytes;
    private final SegmentInput file;
    private final RecordInput in = new RecordInput();
    private int start;
    private int end;

    /** {@code content} says what entries are, for messages. */
    public SpillEntryReader(PartitionedFile segment, int part, int headBytes, String content) {
        this.segment = segment;
        this.content = content;
        this.headBytes = headBytes;
        this.file = segment.open(part);
    }

    /** Goes on to the next entry, whether or not this one was read; false after the last. */
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
            throw damaged(failure);
        }
        return true;
    }

    /** What the head holds, if that is an int. */
    public int headOfInt() {
        in.moveTo(start);
        int head = in.readInt();
        in.moveTo(content());
        return head;
    }

    /** What the head holds, if that is a long. */
    public long headOfLong() {
        in.moveTo(start);
        long head = in.readLong();
        in.moveTo(content());
        return head;
    }

    /** Where the entry's head begins. */
    int start() {
        return start;
    }

    /** Where that begins which follows the head and the length. */
    public int content() {
        return start + headBytes + Integer.BYTES;
    }

    /** Where the entry ends. */
    public int end() {
        return end;
    }

    /** The bytes: at first at {@link #content}. Whoever reads may move in it. */
    public RecordInput bytes() {
        return in;
    }

    /** The failure of whoever stumbled over this run. */
    public RuntimeException damaged(Exception failure) {
        String found = failure instanceof CorruptFileException
                ? String.valueOf(failure.getMessage())
                : segment.file() + ": " + failure.getMessage();
        return ErrorCode.FILE_DAMAGED.failure(content + " that did not fit in memory: " + found, failure);
    }

    @Override
    public void close() {
        file.close();
    }

    /** Closes it and removes the file. */
    public void delete() {
        file.close();
        segment.delete();
    }
}
