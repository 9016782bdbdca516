package dev.hearth.engine.internal.memory;

/**
 * Account of the execution memory of one task attempt. Owned by the attempt's thread. Closing it at the end of the
 * attempt releases all memory and returns the number of bytes that were still held, which shows a leak.
 * <p>Each attempt has a fair share of the {@link MemoryBudget}: of {@code n} active attempts, each gets at least 1/(2n)
 * and at most 1/n.
 */
public interface TaskMemory {
    /**
     * Reserves up to {@code wanted} bytes for {@code consumer}, and returns the number of bytes reserved. If memory is
     * short, cached blocks are evicted first. Then other consumers of this attempt spill, the largest first. If that is
     * not enough, the consumer gets less and must spill its own data. Waits for other attempts only while this attempt
     * has less than its fair share. Throws if the attempt is killed.
     */
    long take(long wanted, Spillable consumer);

    /**
     * Reserves memory that cannot be freed by a spill. Reserves all {@code bytes}, or fails with
     * {@code MEMORY_EXHAUSTED}. {@code subject} names the consumer of the memory in the error.
     */
    void require(long bytes, String subject);

    /** Releases {@code bytes} of memory that {@code consumer} has reserved by {@link #take}. */
    void give(long bytes, Spillable consumer);

    /**
     * Turns execution memory of {@code consumer} into storage memory, for example when a computed block is cached. No
     * other attempt can take the memory in between. The memory is later released by {@link MemoryBudget#drop}. Returns
     * false, and changes nothing, if storage has too little memory left.
     */
    default boolean keep(long bytes, Spillable consumer) {
        return false; // without a budget, there is no storage memory
    }

    /** Releases {@code bytes} of memory that were reserved by {@link #require}. */
    void give(long bytes);

    /** The most bytes of memory that the task attempt held at one time. */
    long peak();

    /**
     * Counts a spill in the metrics of the task: the bytes that it freed in memory, and the bytes that it wrote to
     * disk.
     */
    void spilled(long memoryBytes, long diskBytes);

    long memorySpilled();

    long diskSpilled();

    /**
     * Closes this account and releases all memory that the attempt has reserved. Returns the number of bytes that were
     * still reserved.
     */
    long close();
}
