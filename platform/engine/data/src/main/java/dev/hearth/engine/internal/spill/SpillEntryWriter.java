package dev.hearth.engine.internal.spill;

import dev.hearth.engine.internal.disk.FilePurpose;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.function.IntFunction;

/**
 * Writes a spilled file as a sequence of entries. An entry has a head in a format that the caller chooses, the length
 * of its body, and the body. Owned by one thread; ended by {@link #finish} or {@link #abandon}.
 */
public final class SpillEntryWriter {
    private static final int BUFFER_BYTES = 16 * 1024; // initial size; grows to a frame plus its last entry
    private static final int RETAINED_BYTES_MAX =
            4 * 1024 * 1024; // a buffer that grew larger is dropped after its frame

    private final int frameBytes;
    private final Runnable alive;
    private final PartitionedFileWriter segment;
    private final IntFunction<RecordOutput> outputs;
    private RecordOutput out;
    private int lengthAt;

    /**
     * Creates a file of {@code parts} parts. {@code subject} names the file in errors. {@code alive} throws once the
     * task is killed. Entries are written in frames; a frame ends with the entry that reaches {@code frameBytes} bytes.
     * {@code outputs} creates a buffer with the initial capacity that is passed to it.
     */
    public SpillEntryWriter(
            TemporaryFiles files,
            String subject,
            int parts,
            int frameBytes,
            Runnable alive,
            IntFunction<RecordOutput> outputs) {
        this.outputs = outputs;
        this.out = outputs.apply(BUFFER_BYTES);
        this.frameBytes = frameBytes;
        this.alive = alive;
        this.segment = files.create(subject, parts, FilePurpose.SPILL);
    }

    /** Begins the part {@code part} of the file, to which the following entries belong. */
    public void begin(int part) {
        flush(); // no-op before the first part
        segment.begin(part);
    }

    /**
     * Returns the buffer for entries. For each entry, write the head, call {@link #open}, write the body, and call
     * {@link #end}.
     */
    public RecordOutput out() {
        return out;
    }

    /** Ends the head of the current entry, and begins its body. */
    public void open() {
        lengthAt = out.position();
        out.writeInt(0); // placeholder for the length
    }

    /** Ends the current entry. If the current frame has reached its size, writes the frame to the file. */
    public void end() {
        int end = out.position();
        out.moveTo(lengthAt);
        out.writeInt(end - lengthAt - Integer.BYTES);
        out.moveTo(end);
        flushFrame();
    }

    /** Copies {@code entry}, the current entry of another file, unchanged to this file. */
    public void copy(SpillEntryReader entry) {
        out.write(entry.bytes().array(), entry.start(), entry.end() - entry.start());
        flushFrame();
    }

    private void flushFrame() {
        if (out.position() >= frameBytes) {
            flush();
        }
    }

    private void flush() {
        if (out.position() > 0) {
            alive.run();
            segment.write(out.array(), 0, out.position());
        }
        if (out.array().length > RETAINED_BYTES_MAX) {
            out = outputs.apply(frameBytes);
        }
        out.moveTo(0);
    }

    /** Number of bytes of this file that were written to disk so far, after compression. */
    public long written() {
        return segment.written();
    }

    public PartitionedFile finish() {
        flush();
        return segment.finish();
    }

    /** Deletes the partial file; has no effect after {@link #finish}. */
    public void abandon() {
        segment.abandon();
    }
}
