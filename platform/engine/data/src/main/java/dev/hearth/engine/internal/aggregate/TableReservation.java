package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.MemoryReservation;
import dev.hearth.engine.internal.memory.Spillable;

/**
 * Memory reserved for the tables of one consumer, a {@link HashAggregator} or {@link HashGrouper}. It consists of a
 * minimum for the initial tables, and the bytes by which they have grown. The minimum is held until this reservation is
 * closed. Owned by the consumer. Closing it releases everything.
 */
final class TableReservation {
    private final MemoryReservation reservation;
    private final long firstBytes; // the minimum reservation, without which the consumer cannot work
    private boolean open = true;

    TableReservation(AggregationServices services, Spillable consumer, long firstBytes) {
        this.reservation = new MemoryReservation(services.memory(), consumer, services.subject());
        this.firstBytes = firstBytes;
        reservation.require(firstBytes);
    }

    /**
     * Reserves {@code bytes} of memory for the growth of tables: all of them or nothing. Returns whether they were
     * reserved.
     */
    boolean take(long bytes) {
        return reservation.take(bytes);
    }

    void give(long bytes) {
        reservation.give(bytes);
    }

    /** Releases all reserved memory except the minimum. Returns the number of bytes released. */
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
