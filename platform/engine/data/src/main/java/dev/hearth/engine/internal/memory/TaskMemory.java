package dev.hearth.engine.internal.memory;

/**
 * Execution memory of one task attempt. Owned by the attempt's thread. Closing it at the end of the attempt releases
 * the remaining bytes and returns their number, which is 0 unless there is a leak.
 * <p>Each attempt is guaranteed a fair share of the {@link MemoryBudget}: with {@code n} active attempts at least
 * 1/(2n), at most 1/n.
 */
public interface TaskMemory {
    /**
     * Reserves up to {@code wanted} bytes for {@code consumer} and returns how many it got. When memory is short, first
     * cached blocks are evicted, then other consumers of this attempt spill, the largest first. If that is not enough,
     * the consumer gets less and must spill by itself. Waits for other attempts only while this one has less than its
     * fair share. Throws when the attempt is killed.
     */
    long take(long wanted, Spillable consumer);

    /**
     * Reserves memory that cannot be spilled: all {@code bytes}, or it fails with {@code MEMORY_EXHAUSTED}.
     * {@code subject} names the user of the memory in the error.
     */
    void require(long bytes, String subject);

    /** Releases memory that was reserved by {@link #take}. */
    void give(long bytes, Spillable consumer);

    /**
     * Turns execution memory of {@code consumer} into storage memory, which is released through the
     * {@link MemoryBudget}. No other attempt can take it in between. Returns false, with nothing changed, when storage
     * has no room for it.
     */
    default boolean keep(long bytes, Spillable consumer) {
        return false; // without a budget there is no storage memory
    }

    /** Releases memory that was reserved by {@link #require}. */
    void give(long bytes);

    /** Peak memory in use. */
    long peak();

    /** Records a spill for metrics: the bytes it freed in memory and the bytes it wrote to disk. */
    void spilled(long memoryBytes, long diskBytes);

    long memorySpilled();

    long diskSpilled();

    /** Ends this attempt's use of memory; returns the bytes that were still reserved. */
    long close();
}
