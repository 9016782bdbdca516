package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.TaskMemory;

/**
 * Memory for the records of one hash code while they are read back from disk. The records of one key must fit in
 * memory, because they become one record. It grows to the largest hash code so far. Owned by one merge; closing it
 * releases everything.
 */
final class MergeReservation implements AutoCloseable {
    private static final long STEP_BYTES = 64 * 1024;
    private static final int OBJECT_FACTOR = 4; // bytes in memory per byte on disk

    private final AggregationServices services;
    private long held;
    private long used;

    MergeReservation(AggregationServices services) {
        this.services = services;
    }

    /** Counts one more entry of {@code bytes} on disk. */
    void add(int bytes) {
        used += (long) bytes * OBJECT_FACTOR;
        if (used > held && used > STEP_BYTES) { // small amounts are not reserved
            TaskMemory memory = services.memory();
            long missing = used - held + STEP_BYTES;
            memory.require(missing, services.subject() + ", records of one key");
            held += missing;
        }
    }

    /** Forgets the records, which were passed on; the reservation stays for the next ones. */
    void clear() {
        used = 0;
    }

    @Override
    public void close() {
        used = 0;
        if (held > 0) {
            services.memory().give(held);
            held = 0;
        }
    }
}
