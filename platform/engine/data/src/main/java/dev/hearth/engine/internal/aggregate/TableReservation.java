package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.MemoryReservation;
import dev.hearth.engine.internal.memory.Spillable;

/** What one holder has of its task's memory beyond what it began with. Owned by the holder. Closing it gives everything back. */
final class TableReservation {
    private final MemoryReservation booking;
    private final long firstBytes; // what it must have to get anywhere
    private boolean open = true;

    TableReservation(AggregationServices bench, Spillable holder, long firstBytes) {
        this.booking = new MemoryReservation(bench.memory(), holder, bench.subject());
        this.firstBytes = firstBytes;
        booking.require(firstBytes);
    }

    /** Takes all of it, or nothing. */
    boolean take(long bytes) {
        return booking.take(bytes);
    }

    void give(long bytes) {
        booking.give(bytes);
    }

    /** Gives back everything but what was there at first; returns how much that was. */
    long giveAll() {
        return open ? booking.giveAllBut(firstBytes) : 0;
    }

    long taken() {
        return open ? booking.held() - firstBytes : 0;
    }

    void spilled(long memoryBytes, long diskBytes) {
        booking.spilled(memoryBytes, diskBytes);
    }

    void close() {
        open = false;
        booking.giveAllBut(0);
    }
}
