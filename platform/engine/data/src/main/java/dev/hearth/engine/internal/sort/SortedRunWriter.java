package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.spill.SpillEntryWriter;

/**
 * Writes sorted pairs to a file of two parts: by key, and of the null key. A pair is an entry: the number of its key is the head, of
 * keys that are numbers; then the key if it is no number, and the value. Owned by one thread; ends by {@link #finish} or
 * {@link #abandon}.
 */
final class SortedRunWriter {
    /** The part of pairs that have a key. */
    static final int KEYED = 0;
    /** The part of those that have none. */
    static final int NULLS = 1;

    private static final int FRAME_BYTES = 64 * 1024; // many runs are read at once

    private final SpillEntryWriter entries;

    SortedRunWriter(SortServices services, String subject) {
        RecordFormat.Writer format = services.records().get().writer();
        this.entries = new SpillEntryWriter(
                services.files().get(), subject, NULLS + 1, FRAME_BYTES, services.alive(), format::output);
    }

    void begin(int part) {
        entries.begin(part);
    }

    /** Begins a pair with the number of its key. */
    void open(long prefix) {
        entries.out().writeLong(prefix);
        entries.open();
    }

    /** Begins a pair. What is written to {@link #out} from now on belongs to it. */
    void open() {
        entries.open();
    }

    RecordOutput out() {
        return entries.out();
    }

    /** Ends a pair. */
    void end() {
        entries.end();
    }

    /** A whole pair of another run. */
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
