package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.spill.SpillEntryReader;

/** Cursor over the entries of one run (a spill file whose entries are sorted by hash code). Owned by one thread. */
final class HashRunCursor {
    private final SpillEntryReader entries;
    private final int number; // number of this run: among equal hash codes, the run with the lower number comes first
    private int hash;

    HashRunCursor(PartitionedFile segment, int number) {
        this.entries = new SpillEntryReader(segment, 0, Integer.BYTES, "records");
        this.number = number;
    }

    /** Advances to the next entry, even if the current entry was not read. Returns false after the last entry. */
    boolean next() {
        if (!entries.next()) {
            return false;
        }
        hash = entries.headOfInt();
        return true;
    }

    int hash() {
        return hash;
    }

    SpillEntryReader entry() {
        return entries;
    }

    /**
     * The buffer that contains the current entry. Its position is at first after the entry's hash code and length, and
     * moves as the caller reads.
     */
    RecordInput input() {
        return entries.bytes();
    }

    int end() {
        return entries.end();
    }

    boolean comesBefore(HashRunCursor other) {
        return hash != other.hash ? hash < other.hash : number < other.number;
    }

    void delete() {
        entries.delete();
    }
}
