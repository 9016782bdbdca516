package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.spill.SpillEntryWriter;

/**
 * Writes a spilled run of sorted pairs as a file of two parts: pairs with a non-null key, and pairs with a null key.
 * Each pair is an entry. For a numeric key, the head of the entry is the key's prefix and the body is the value.
 * Otherwise the head is empty, and the body is key and value. Owned by one thread; ended by {@link #finish} or {@link
 * #abandon}.
 */
final class SortedRunWriter {
    /** Number of the file's part for pairs with a non-null key. */
    static final int KEYED = 0;
    /** Number of the file's part for pairs with a null key. */
    static final int NULLS = 1;

    private static final int FRAME_BYTES = 64 * 1024; // small, because many runs are read at once

    private final SpillEntryWriter entries;

    SortedRunWriter(SortServices services, String subject) {
        RecordFormat.Writer format = services.records().get().writer();
        this.entries = new SpillEntryWriter(
                services.files().get(), subject, NULLS + 1, FRAME_BYTES, services.alive(), format::output);
    }

    void begin(int part) {
        entries.begin(part);
    }

    /**
     * Begins a pair with a numeric key, which {@code prefix} represents. Bytes written to {@link #out} from now on are
     * its value.
     */
    void open(long prefix) {
        entries.out().writeLong(prefix);
        entries.open();
    }

    /** Begins a pair without a numeric key. Bytes written to {@link #out} from now on belong to the pair. */
    void open() {
        entries.open();
    }

    RecordOutput out() {
        return entries.out();
    }

    /** Ends the pair that {@link #open} has begun. */
    void end() {
        entries.end();
    }

    /** Copies {@code pair}, the current pair of another run, to this run without deserialising it. */
    void copy(SortedRunCursor pair) {
        entries.copy(pair.entry());
    }

    PartitionedFile finish() {
        return entries.finish();
    }

    void abandon() {
        entries.abandon();
    }
}
