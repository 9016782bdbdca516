package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.record.RecordInput;
import dev.hearth.engine.internal.run.EntryInput;

/** Goes over the entries of one run by their hash codes. Owned by one thread. */
final class RunCursor {
    private final EntryInput entries;
    private final int number; // of the run: those of equal hash codes come in this order
    private int hash;

    RunCursor(Segment segment, int number) {
        this.entries = new EntryInput(segment, 0, Integer.BYTES, "records");
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

    EntryInput entry() {
        return entries;
    }

    /** Where the entry's bytes begin after its hash code, and what has been read of them. */
    RecordInput input() {
        return entries.bytes();
    }

    int end() {
        return entries.end();
    }

    boolean comesBefore(RunCursor other) {
        return hash != other.hash ? hash < other.hash : number < other.number;
    }

    void delete() {
        entries.delete();
    }
}
