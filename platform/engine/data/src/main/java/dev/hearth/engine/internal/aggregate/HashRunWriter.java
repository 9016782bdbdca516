package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.spill.SpillEntryWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes one run of a spilled hash table. The head of an entry is the hash code, by which entries are sorted. The body
 * is the side, the key and the values; in a numbered run the body starts with the key's sequence number. Owned by one
 * thread; ended by {@link #finish} or {@link #abandon}.
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

    /** Begins an entry. {@code number} is the sequence number of the key, ignored unless the run is numbered. */
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

    /** Bytes of the current entry so far. */
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

    /** Copies an entry of another run unchanged. */
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
