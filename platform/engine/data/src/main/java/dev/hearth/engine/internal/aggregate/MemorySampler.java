package dev.hearth.engine.internal.aggregate;

/**
 * Decides when to estimate the size of a table's objects, and reserves memory for them. Owned by the owner of the
 * table, which spills when there is no memory.
 */
final class MemorySampler {
    private static final int EVERY_UPDATES = 32;
    private static final int FEW_UPDATES = 64; // the first updates are checked one by one
    private static final long LARGE_BYTES = 64 * 1024; // records above this average size are checked one by one, too
    private static final int AHEAD_PART = 8; // reserved in advance: the estimate divided by this

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

    /** Counts one update; returns whether a check is due. */
    boolean isDue() {
        return ++updates >= nextCheck;
    }

    long updates() {
        return updates;
    }

    /** Counts several updates at once, after which the owner begins a check. */
    void countUpdates(int count) {
        updates += count;
    }

    /** Begins a check; returns the updates since the previous one. Throws when the task is killed. */
    long beginCheck() {
        services.checkKilled();
        nextCheck = updates + (updates < FEW_UPDATES ? 1 : EVERY_UPDATES);
        long updatesSince = updates - checkedUpdates;
        checkedUpdates = updates;
        return updatesSince;
    }

    /** Reserves memory for {@code records} of {@code estimate} bytes in all; false when there is none. */
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

    /** Resets the sampler after the owner has cleared the table and released its memory. */
    void clear() {
        updates = 0;
        checkedUpdates = 0;
        nextCheck = 1;
        reserved = 0;
    }
}
