package dev.hearth.engine.internal.memory;

import java.util.function.Supplier;

/**
 * Memory of one application on one executor, shared by tasks (execution) and cached blocks (storage), as in Spark's
 * unified memory manager. Either side may use what the other leaves free. Execution may evict storage down to its
 * protected part; storage never takes memory from execution. Any thread may call. The budgets of all applications in a
 * process stay within the process's bound.
 */
public interface MemoryBudget extends AutoCloseable {
    /**
     * Opens the execution memory of a task attempt. {@code killed} throws once the attempt is killed; it is called
     * while the attempt waits for memory. A kill without an interrupt must be followed by {@link #wake}.
     */
    TaskMemory open(long task, Runnable killed);

    /** Wakes waiting attempts, so that they check whether they were killed. */
    void wake();

    /** Reserves {@code bytes} of storage memory, evicting older blocks if needed; false when there is no room. */
    boolean keep(long bytes);

    /** Releases storage memory. */
    void drop(long bytes);

    /** Registers holders of storage memory; they are asked to evict in the order of registration. */
    void evictables(Supplier<? extends Iterable<Evictable>> holders);

    /** Size of this budget in bytes: the bound on execution and storage memory together. */
    long total();

    long storageUsed();

    long executionUsed();

    /** Refuses further reservations. Memory that running attempts still hold is no longer counted. */
    @Override
    void close();
}
