package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.MemoryReservation;
import dev.hearth.engine.internal.memory.Spillable;

/**
 * Memory reserved by one consumer: a minimum for its initial tables, which is held until this is closed, and the bytes
 * by which the tables have grown. Owned by the consumer. Closing it releases everything.
 */
final class TableReservation {
    private final MemoryReservation reservation;
    private final long firstBytes; // the minimum, without which the consumer cannot work
    private boolean open = true;

    TableReservation(AggregationServices services, Spillable consumer, long firstBytes) {
        this.reservation = new MemoryReservation(services.memory(), consumer, services.subject());
        this.firstBytes = firstBytes;
        reservation.require(firstBytes);
    }

    /** Reserves all {@code bytes} or nothing; returns whether it did. */
    boolean take(long bytes) {
        return reservation.take(bytes);
    }

    void give(long bytes) {
        reservation.give(bytes);
    }

    /** Releases everything but the minimum; returns how much that was. */
    long giveAll() {
        return open ? reservation.giveAllBut(firstBytes) : 0;
    }

    long taken() {
        return open ? reservation.held() - firstBytes : 0;
    }

    void spilled(long memoryBytes, long diskBytes) {
        reservation.spilled(memoryBytes, diskBytes);
    }

    void close() {
        open = false;
        reservation.giveAllBut(0);
    }
}
