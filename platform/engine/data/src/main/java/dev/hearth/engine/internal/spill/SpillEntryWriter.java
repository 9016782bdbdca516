package dev.hearth.engine.internal.spill;

import dev.hearth.engine.internal.disk.FilePurpose;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.function.IntFunction;

/**
 * Writes one run: entries of a head, which its users give a length, the number of bytes that follow, and these. Owned by one
 * thread; ends by {@link #finish} or {@link #abandon}.
 */
public final class SpillEntryWriter {
    private static final int BUFFER_BYTES = 16 * 1024; // at first; it grows to a frame and the entry that fills it
    private static final int KEPT_BYTES = 4 * 1024 * 1024; // a larger entry takes its room along

    private final int frameBytes;
    private final Runnable alive;
    private final PartitionedFileWriter segment;
    private final IntFunction<RecordOutput> outputs;
    private RecordOutput out;
    private int lengthAt;

    /**
     * {@code alive} throws once the task was told to end; frames have so many bytes, and the rest of an entry; {@code outputs} makes
     * what they are written to, of so many bytes at first.
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

    /** Everything from now on belongs to that part. */
    public void begin(int part) {
        flush(); // nothing at the first
        segment.begin(part);
    }

    /** Where an entry is written to: its head, then {@link #open}, the rest, and {@link #end}. */
    public RecordOutput out() {
        return out;
    }

    /** The head is written. */
    public void open() {
        lengthAt = out.position();
        out.writeInt(0); // the length, once it is known
    }

    /** The entry is written. */
    public void end() {
        int end = out.position();
        out.moveTo(lengthAt);
        out.writeInt(end - lengthAt - Integer.BYTES);
        out.moveTo(end);
        flushFrame();
    }

    /** Writes an entry as another run has it. */
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
        if (out.array().length > KEPT_BYTES) {
            out = outputs.apply(frameBytes);
        }
        out.moveTo(0);
    }

    /** The bytes on disk so far. */
    public long written() {
        return segment.written();
    }

    public PartitionedFile finish() {
        flush();
        return segment.finish();
    }

    /** Removes what was written; nothing once it is finished. */
    public void abandon() {
        segment.abandon();
    }
}
