package dev.hearth.engine.internal.memory;

import java.util.function.Supplier;

/**
 * Memory of one application on one executor, shared by tasks (execution) and cached blocks (storage), as in Spark's
 * unified memory manager. Execution and storage may each use what the other leaves free. Execution may evict storage
 * down to its protected part. Storage never takes memory from execution. Any thread may call. Together, the budgets of
 * all applications stay within the bound of the process.
 */
public interface MemoryBudget extends AutoCloseable {
    /**
     * Opens the account of the execution memory of a task attempt. While the attempt waits for memory, it calls {@code
     * killed}, which throws if the attempt was killed. A kill that does not interrupt the attempt's thread must be
     * followed by {@link #wake}.
     */
    TaskMemory open(long task, Runnable killed);

    /** Wakes the task attempts that wait for memory, so that they notice if they were killed. */
    void wake();

    /**
     * Reserves {@code bytes} of storage memory, and evicts older blocks if needed. Returns false if there is too little
     * memory.
     */
    boolean keep(long bytes);

    /** Releases {@code bytes} of storage memory, which {@link #keep} has reserved. */
    void drop(long bytes);

    /** Registers the caches that can evict storage memory. Caches that were registered first are asked first. */
    void evictables(Supplier<? extends Iterable<Evictable>> holders);

    /** Size of this budget in bytes: the bound on the sum of execution and storage memory. */
    long total();

    long storageUsed();

    long executionUsed();

    /**
     * Refuses all further reservations. Memory that running task attempts still hold no longer counts, so that other
     * applications can use it.
     */
    @Override
    void close();
}
