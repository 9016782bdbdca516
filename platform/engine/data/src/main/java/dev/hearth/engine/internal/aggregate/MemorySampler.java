package dev.hearth.engine.internal.aggregate;

/**
 * Says when to look at what a table's objects take, and takes memory for them. Owned by the table's owner, which empties the
 * table when there is no memory.
 */
final class MemorySampler {
    private static final int EVERY_UPDATES = 32;
    private static final int FEW_UPDATES = 64; // as many are looked at one by one
    private static final long LARGE_BYTES = 64 * 1024; // records of that size too
    private static final int AHEAD_PART = 8; // of what they take is taken ahead

    private final AggregationServices bench;
    private final TableReservation account;
    private long updates;
    private long seen;
    private long due = 1;
    private long taken;

    MemorySampler(AggregationServices bench, TableReservation account) {
        this.bench = bench;
        this.account = account;
    }

    /** Counts one update; whether it is time to look. */
    boolean isDue() {
        return ++updates >= due;
    }

    long updates() {
        return updates;
    }

    /** Counts several, after which it is time to look. */
    void counts(int several) {
        updates += several;
    }

    /** The updates since the last look. Throws when the task was told to end. */
    long look() {
        bench.checkKilled();
        due = updates + (updates < FEW_UPDATES ? 1 : EVERY_UPDATES);
        long since = updates - seen;
        seen = updates;
        return since;
    }

    /** Takes memory for so many records of so many bytes as there are now; false when there is none. */
    boolean take(long estimate, long records) {
        if (estimate > LARGE_BYTES * records) {
            due = updates + 1;
        }
        long missing = estimate - taken;
        if (missing <= 0) {
            return true;
        }
        long ahead = missing + estimate / AHEAD_PART;
        if (!account.take(ahead)) {
            return false;
        }
        taken += ahead;
        return true;
    }

    /** The table was emptied, and its memory given back. */
    void clear() {
        updates = 0;
        seen = 0;
        due = 1;
        taken = 0;
    }
}
