package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentUse;
import dev.hearth.engine.internal.disk.SegmentWriter;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.record.RecordInput;
import dev.hearth.engine.internal.record.RecordOutput;
import org.jspecify.annotations.Nullable;

/**
 * Writes one run: entries in ascending order of hash codes, each of a hash code, a length, a side, a key and values. Owned by
 * one thread; ends by {@link #finish} or {@link #abandon}.
 */
final class RunWriter {
    private static final int BUFFER_BYTES = 16 * 1024; // at first; it grows to a frame and the entry that fills it

    static final int HEADER_BYTES = 2 * Integer.BYTES;

    private final RecordOutput out = new RecordOutput(BUFFER_BYTES);
    private final RecordFormat.Writer format;
    private final SegmentWriter segment;
    private int entryAt;
    private int countAt;
    private int count;

    RunWriter(Workbench bench) {
        this.format = bench.format().writer();
        this.segment = bench.files().create(bench.subject(), 1, SegmentUse.SPILL);
        segment.begin(0);
    }

    void begin(int hash, int side, @Nullable Object key) {
        entryAt = out.position();
        out.writeInt(hash);
        out.writeInt(0); // the length, once it is known
        out.writeSize(side);
        format.write(key, out);
        countAt = out.position();
        out.writeInt(0);
        count = 0;
    }

    void value(@Nullable Object value) {
        format.write(value, out);
        count++;
    }

    /** The bytes of the entry so far. */
    int entryBytes() {
        return out.position() - entryAt;
    }

    void end() {
        int end = out.position();
        out.moveTo(countAt);
        out.writeInt(count);
        out.moveTo(entryAt + Integer.BYTES);
        out.writeInt(end - entryAt - HEADER_BYTES);
        out.moveTo(end);
        flush(SegmentWriter.FRAME_BYTES);
    }

    /** Writes an entry as another run has it. */
    void copy(RunCursor entry) {
        RecordInput in = entry.input();
        out.writeInt(entry.hash());
        out.writeInt(entry.end() - in.position());
        out.write(in.array(), in.position(), entry.end() - in.position());
        flush(SegmentWriter.FRAME_BYTES);
    }

    private void flush(int least) {
        if (out.position() >= least) {
            segment.write(out.array(), 0, out.position());
            out.moveTo(0);
        }
    }

    long written() {
        return segment.written();
    }

    Segment finish() {
        flush(1);
        return segment.finish();
    }

    void abandon() {
        segment.abandon();
    }
}
