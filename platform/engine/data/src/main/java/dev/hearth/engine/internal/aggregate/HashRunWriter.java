package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.spill.SpillEntryWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes one run: a spilled hash table, as a file sorted by hash code. An entry begins with the key's hash code. In a
 * numbered run, the key's sequence number follows, which records when the key was first seen. Then come the side of the
 * join, the key and the values. Owned by one thread; ended by {@link #finish} or {@link #abandon}.
 */
final class HashRunWriter {
    private final SpillEntryWriter entries;
    private final RecordFormat.Writer format;
    private final boolean numbered;
    private RecordOutput out;
    private int entryStart;
    private int countPosition;
    private int count;

    HashRunWriter(AggregationServices services, boolean numbered) {
        this.numbered = numbered;
        this.format = services.format().writer();
        this.entries = new SpillEntryWriter(
                services.files(),
                services.subject(),
                1,
                PartitionedFileWriter.FRAME_BYTES,
                services::checkKilled,
                format::output);
        this.out = entries.out();
        entries.begin(0);
    }

    /**
     * Begins the entry of {@code key}, whose hash code is {@code hash}, on side {@code side} of the join. {@code
     * number} is the key's sequence number, which only a numbered run contains.
     */
    void begin(int hash, long number, int side, @Nullable Object key) {
        out = entries.out();
        entryStart = out.position();
        out.writeInt(hash);
        entries.open();
        if (numbered) {
            out.writeLong(number);
        }
        out.writeSize(side);
        format.write(key, out);
        countPosition = out.position();
        out.writeInt(0);
        count = 0;
    }

    void value(@Nullable Object value) {
        format.write(value, out);
        count++;
    }

    /** Number of bytes of the current entry that were written to the buffer so far. */
    int entryBytes() {
        return out.position() - entryStart;
    }

    void end() {
        int end = out.position();
        out.moveTo(countPosition);
        out.writeInt(count);
        out.moveTo(end);
        entries.end();
    }

    /**
     * Copies {@code entry}, the current entry of another run (a sorted spill file), unchanged to this run. So runs are
     * merged without deserialising their records.
     */
    void copy(HashRunCursor entry) {
        entries.copy(entry.entry());
    }

    long written() {
        return entries.written();
    }

    PartitionedFile finish() {
        return entries.finish();
    }

    void abandon() {
        entries.abandon();
    }
}
