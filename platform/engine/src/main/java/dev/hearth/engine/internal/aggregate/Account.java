package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.memory.TaskMemory;

/** What one holder has of its task's memory. Owned by the holder. Closing it gives everything back. */
final class Account {
    private final TaskMemory memory;
    private final Spillable holder;
    private final long firstBytes; // what it must have to get anywhere
    private long taken;
    private boolean open = true;

    Account(Workbench bench, Spillable holder, long firstBytes) {
        this.memory = bench.memory();
        this.holder = holder;
        this.firstBytes = firstBytes;
        memory.require(firstBytes, bench.subject());
    }

    /** Takes all of it, or nothing. */
    boolean take(long bytes) {
        long got = memory.take(bytes, holder);
        if (got < bytes) {
            memory.give(got, holder);
            return false;
        }
        taken += bytes;
        return true;
    }

    void give(long bytes) {
        taken -= bytes;
        memory.give(bytes, holder);
    }

    /** Gives back everything but what was there at first; returns how much that was. */
    long giveAll() {
        long all = taken;
        taken = 0;
        if (all > 0) {
            memory.give(all, holder);
        }
        return all;
    }

    long taken() {
        return taken;
    }

    void spilled(long memoryBytes, long diskBytes) {
        memory.spilled(memoryBytes, diskBytes);
    }

    void close() {
        giveAll();
        if (open) {
            open = false;
            memory.give(firstBytes);
        }
    }
}
