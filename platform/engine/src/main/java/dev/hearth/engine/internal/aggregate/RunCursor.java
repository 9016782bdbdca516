package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.record.RecordInput;
import dev.hearth.spi.error.ErrorCode;

/** Goes over the entries of one run. Owned by one thread. */
final class RunCursor implements AutoCloseable {
    private final Segment segment;
    private final int number; // of the run: those of equal hash codes come in this order
    private final SegmentInput file;
    private final RecordInput in = new RecordInput();
    private int hash;
    private int end;

    RunCursor(Segment segment, int number) {
        this.segment = segment;
        this.number = number;
        this.file = segment.open(0);
    }

    /** Goes on to the next entry, whether or not this one was read; false after the last. */
    boolean next() {
        in.moveTo(end);
        if (!in.hasMore()) {
            try {
                if (!file.next(in)) {
                    return false;
                }
            } catch (DamagedSegment damaged) {
                throw ErrorCode.DISK_FAILED.failure(
                        "spilled records: " + damaged.getMessage()
                                + " (expected: what this task wrote); the task must run again",
                        damaged);
            }
        }
        hash = in.readInt();
        int length = in.readInt();
        in.expect(length);
        end = in.position() + length;
        return true;
    }

    int hash() {
        return hash;
    }

    /** Where the entry's bytes begin after the header, and what has been read of them. */
    RecordInput input() {
        return in;
    }

    int end() {
        return end;
    }

    boolean comesBefore(RunCursor other) {
        return hash != other.hash ? hash < other.hash : number < other.number;
    }

    @Override
    public void close() {
        file.close();
    }

    void delete() {
        file.close();
        segment.delete();
    }
}
