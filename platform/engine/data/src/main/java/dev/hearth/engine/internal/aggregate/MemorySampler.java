package dev.hearth.engine.internal.aggregate;

/**
 * Decides when to estimate the size of the objects in a table, because measuring them at each update would be slow.
 * Also reserves as much memory as was estimated. Owned by the owner of the table, which spills the table if a
 * reservation fails.
 */
final class MemorySampler {
    private static final int EVERY_UPDATES = 32;
    // the table is checked after each of the first 64 updates
    private static final int FEW_UPDATES = 64;
    // if records are larger than this on average, the table is checked after each update
    private static final long LARGE_BYTES = 64 * 1024;
    private static final int AHEAD_PART = 8; // one eighth of the estimate is reserved in advance

    private final AggregationServices services;
    private final TableReservation account;
    private long updates;
    private long checkedUpdates;
    private long nextCheck = 1;
    private long reserved;

    MemorySampler(AggregationServices services, TableReservation account) {
        this.services = services;
        this.account = account;
    }

    /** Counts one update of the table. Returns whether its size must be checked now. */
    boolean isDue() {
        return ++updates >= nextCheck;
    }

    long updates() {
        return updates;
    }

    /** Counts {@code count} updates of the table at once. The caller must then call {@link #beginCheck}. */
    void countUpdates(int count) {
        updates += count;
    }

    /**
     * Begins a check of the table's size, and schedules the next check. Returns the number of updates since the
     * previous check. Throws if the task was killed.
     */
    long beginCheck() {
        services.checkKilled();
        nextCheck = updates + (updates < FEW_UPDATES ? 1 : EVERY_UPDATES);
        long updatesSince = updates - checkedUpdates;
        checkedUpdates = updates;
        return updatesSince;
    }

    /**
     * Adds to the reserved memory until it covers all objects of the table. These are {@code records} records, whose
     * estimated size is {@code estimate} bytes in total. Returns false if there is too little memory.
     */
    boolean reserve(long estimate, long records) {
        if (estimate > LARGE_BYTES * records) {
            nextCheck = updates + 1;
        }
        long missing = estimate - reserved;
        if (missing <= 0) {
            return true;
        }
        long ahead = missing + estimate / AHEAD_PART;
        if (!account.take(ahead)) {
            return false;
        }
        reserved += ahead;
        return true;
    }

    /** Resets this sampler. The owner calls it after it has cleared the table and released the table's memory. */
    void clear() {
        updates = 0;
        checkedUpdates = 0;
        nextCheck = 1;
        reserved = 0;
    }
}
