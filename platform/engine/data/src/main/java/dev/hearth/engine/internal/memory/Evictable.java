package dev.hearth.engine.internal.memory;

/** What holds kept data and makes room for tasks: the block store, and what a shuffle holds. Any thread may call. */
public interface Evictable {
    /**
     * Frees at least {@code wanted} bytes if it can and gives them back to the budget; returns how many it freed. Called without
     * any lock of the budget's; does not keep anything meanwhile, which could ask it again.
     */
    long evict(long wanted);
}
