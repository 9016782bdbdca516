package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.spill.SpillEntryReader;

/** Cursor over the entries of one run, in the order of their hash codes. Owned by one thread. */
final class HashRunCursor {
    private final SpillEntryReader entries;
    private final int number; // run number, which breaks ties between equal hash codes
    private int hash;

    HashRunCursor(PartitionedFile segment, int number) {
        this.entries = new SpillEntryReader(segment, 0, Integer.BYTES, "records");
        this.number = number;
    }

    /** Advances to the next entry, whether or not the current one was read; false after the last. */
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

    /** The bytes of the current entry, positioned after its hash code and length; reading moves the position. */
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
