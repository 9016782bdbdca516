package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.TaskMemory;

/**
 * Memory for the records of one hash code while they are read back from disk. The records of one key must fit in
 * memory, because they become one record. The reservation grows to the size of the largest hash code's records so far.
 * Owned by one merge; closing it releases everything.
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

    /** Counts from zero for the records of the next hash code. Keeps the reserved memory. */
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
