package dev.hearth.engine.internal.memory;

import java.util.function.Supplier;

/**
 * What one executor may hold, shared by what tasks work with (execution) and what is kept (storage). Either side takes what the
 * other leaves free; execution may have storage evicted down to its protected part, storage may never push execution out.
 * Any thread may call. Budgets of several applications in one process together stay within the process's bound.
 */
public interface MemoryBudget extends AutoCloseable {
    /**
     * Opens an attempt's account. {@code killed} throws once the attempt was told to end, and is asked while it waits: whoever
     * tells it to end without an interrupt calls {@link #wake} afterwards.
     */
    TaskMemory open(long task, Runnable killed);

    /** Has attempts that wait look whether they were told to end. */
    void wake();

    /** Takes {@code bytes} for kept data, evicting older kept data if need be; false when there is no room for so many. */
    boolean keep(long bytes);

    /** Gives back kept bytes. */
    void drop(long bytes);

    /** Whom to ask when room is needed, in the order of registration. */
    void evictables(Supplier<? extends Iterable<Evictable>> holders);

    /** Everything there is, in bytes. */
    long total();

    long storageUsed();

    long executionUsed();

    /** Nothing is kept or taken from now on; what attempts still hold counts until they have given it back. */
    @Override
    void close();
}
