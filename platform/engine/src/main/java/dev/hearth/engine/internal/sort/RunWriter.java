package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.disk.SegmentUse;
import dev.hearth.engine.internal.disk.SegmentWriter;
import dev.hearth.engine.internal.record.RecordOutput;

/**
 * Writes sorted pairs to a file of two parts: by key, and of the null key. A pair is the number of its key, of keys that are numbers;
 * then how many bytes follow, and these: the key if it is no number, and the value. Owned by one thread; ends by {@link #finish} or {@link #abandon}.
 */
final class RunWriter {
    /** The part of pairs that have a key. */
    static final int KEYED = 0;
    /** The part of those that have none. */
    static final int NULLS = 1;

    private static final int FRAME_BYTES = 64 * 1024; // many runs are read at once
    private static final int KEPT_BYTES = 4 * 1024 * 1024; // a larger record takes its room along

    private final Runnable alive;
    private final SegmentWriter writer;
    private RecordOutput out = new RecordOutput(FRAME_BYTES + FRAME_BYTES / 4);
    private int lengthAt;

    /** {@code alive} throws once the task was told to end. */
    RunWriter(SegmentFiles files, String subject, Runnable alive) {
        this.alive = alive;
        this.writer = files.create(subject, NULLS + 1, SegmentUse.SPILL);
    }

    void begin(int part) {
        flush(); // nothing at the first
        writer.begin(part);
    }

    /** Begins a pair with the number of its key. */
    void open(long prefix) {
        out.writeLong(prefix);
        open();
    }

    /** Begins a pair. What is written to {@link #out} from now on belongs to it. */
    void open() {
        lengthAt = out.position();
        out.writeInt(0);
    }

    RecordOutput out() {
        return out;
    }

    /** Ends a pair. */
    void end() {
        int end = out.position();
        out.moveTo(lengthAt);
        out.writeInt(end - lengthAt - Integer.BYTES);
        out.moveTo(end);
        if (end >= FRAME_BYTES) {
            flush();
        }
    }

    /** A whole pair of another run. */
    void copy(byte[] bytes, int from, int length) {
        out.write(bytes, from, length);
        if (out.position() >= FRAME_BYTES) {
            flush();
        }
    }

    private void flush() {
        alive.run();
        if (out.position() > 0) {
            writer.write(out.array(), 0, out.position());
        }
        if (out.array().length > KEPT_BYTES) {
            out = new RecordOutput(FRAME_BYTES);
        }
        out.moveTo(0);
    }

    Segment finish() {
        flush();
        return writer.finish();
    }

    void abandon() {
        writer.abandon();
    }
}
