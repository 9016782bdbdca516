package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.spill.SpillEntryReader;

/** Goes over the entries of one run by their hash codes. Owned by one thread. */
final class HashRunCursor {
    private final SpillEntryReader entries;
    private final int number; // of the run: those of equal hash codes come in this order
    private int hash;

    HashRunCursor(PartitionedFile segment, int number) {
        this.entries = new SpillEntryReader(segment, 0, Integer.BYTES, "records");
        this.number = number;
    }

    /** Goes on to the next entry, whether or not this one was read; false after the last. */
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

    /** Where the entry's bytes begin after its hash code, and what has been read of them. */
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
