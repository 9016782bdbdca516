package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.memory.TaskMemory;

/**
 * Memory for the records of one hash code while they are brought together from disk: those of one key must fit, for they
 * become one record. Grows with the largest so far. Owned by one merge; closing it gives everything back.
 */
final class MergeReservation implements AutoCloseable {
    private static final long STEP_BYTES = 64 * 1024;
    private static final int OBJECT_FACTOR = 4; // what objects take in memory for each byte on disk

    private final AggregationServices bench;
    private long held;
    private long used;

    MergeReservation(AggregationServices bench) {
        this.bench = bench;
    }

    /** One more entry of so many bytes on disk. */
    void add(int bytes) {
        used += (long) bytes * OBJECT_FACTOR;
        if (used > held && used > STEP_BYTES) { // little is not worth a question
            TaskMemory memory = bench.memory();
            long missing = used - held + STEP_BYTES;
            memory.require(missing, bench.subject() + ", records of one key");
            held += missing;
        }
    }

    /** They were handed on. */
    void clear() {
        used = 0;
    }

    @Override
    public void close() {
        used = 0;
        if (held > 0) {
            bench.memory().give(held);
            held = 0;
        }
    }
}
