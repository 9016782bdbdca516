package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.TaskMemory;

/**
 * Memory reserved for the records of one hash code while a merge reads them back from disk. The values of one key must
 * fit in memory, because they become one record. The reservation is kept for later hash codes, so it is as large as the
 * largest needed so far. Owned by one merge; closing it releases everything.
 */
final class MergeReservation implements AutoCloseable {
    private static final long STEP_BYTES = 64 * 1024;
    private static final int OBJECT_FACTOR = 4; // estimate: a record takes 4 bytes in memory per byte on disk

    private final AggregationServices services;
    private long held;
    private long used;

    MergeReservation(AggregationServices services) {
        this.services = services;
    }

    /**
     * Counts one more entry of the current hash code, which takes {@code bytes} bytes on disk. Reserves more memory if
     * needed.
     */
    void add(int bytes) {
        used += (long) bytes * OBJECT_FACTOR;
        if (used > held && used > STEP_BYTES) { // small amounts are not worth a reservation
            TaskMemory memory = services.memory();
            long missing = used - held + STEP_BYTES;
            memory.require(missing, services.subject() + ", records of one key");
            held += missing;
        }
    }

    /** Sets the count of used bytes to zero for the next hash code. Keeps all memory that was reserved so far. */
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
