package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.spill.SpillEntryWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes one run: entries in ascending order of hash codes, which are their heads, each of a side, a key and values; with the
 * number of the key before these where there are numbers. Owned by one thread; ends by {@link #finish} or {@link #abandon}.
 */
final class HashRunWriter {
    private final SpillEntryWriter entries;
    private final RecordFormat.Writer format;
    private final boolean numbered;
    private RecordOutput out;
    private int entryAt;
    private int countAt;
    private int count;

    HashRunWriter(AggregationServices bench, boolean numbered) {
        this.numbered = numbered;
        this.format = bench.format().writer();
        this.entries = new SpillEntryWriter(
                bench.files(),
                bench.subject(),
                1,
                PartitionedFileWriter.FRAME_BYTES,
                bench::checkKilled,
                format::output);
        this.out = entries.out();
        entries.begin(0);
    }

    /** {@code number} says when the key was first seen, where that is of interest. */
    void begin(int hash, long number, int side, @Nullable Object key) {
        out = entries.out();
        entryAt = out.position();
        out.writeInt(hash);
        entries.open();
        if (numbered) {
            out.writeLong(number);
        }
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
        out.moveTo(end);
        entries.end();
    }

    /** Writes an entry as another run has it. */
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
