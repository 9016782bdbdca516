package dev.hearth.engine.internal.memory;

/**
 * One attempt's account with the {@link MemoryBudget}. Owned by the attempt's thread; closed when the attempt has ended, which
 * gives back whatever is left and tells how much that was, for there should be nothing.
 * <p>An attempt is promised a fair share of the budget: of {@code n} that run, at least 1/(2n) and at most 1/n.
 */
public interface TaskMemory {
    /**
     * Takes up to {@code wanted} bytes for {@code holder}. When there are not so many, cached data gives way, then other holders
     * of this attempt spill, the largest first, then {@code holder} gets what there is: it spills itself when that is too little.
     * Waits for other attempts only while this one has less than its fair share. An attempt that was killed throws.
     */
    long take(long wanted, Spillable holder);

    /** As {@link #take} for what cannot be spilled; all or nothing, and refused with {@code MEMORY_EXHAUSTED} by name. */
    void require(long bytes, String subject);

    /** Gives back. */
    void give(long bytes, Spillable holder);

    /**
     * Makes kept data of what {@code holder} has, to be dropped through the {@link MemoryBudget}; nobody gets it in between. False
     * when so much may not be kept: then it stays the holder's.
     */
    default boolean keep(long bytes, Spillable holder) {
        return false; // an account without a budget keeps nothing
    }

    /** Gives back what was {@link #require}d. */
    void give(long bytes);

    /** The most that was held at one time. */
    long peak();

    /** Counts what was written to disk to make room: the bytes in memory and on disk. For metrics. */
    void spilled(long memoryBytes, long diskBytes);

    long memorySpilled();

    long diskSpilled();

    /** Ends the account; returns the bytes that were still held. */
    long close();
}
