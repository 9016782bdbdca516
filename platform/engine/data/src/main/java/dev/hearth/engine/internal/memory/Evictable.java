package dev.hearth.engine.internal.memory;

/**
 * A holder of storage memory that can evict data to make room for tasks, such as the block store. Any thread may call.
 */
public interface Evictable {
    /**
     * Evicts at least {@code wanted} bytes if it can and releases them to the budget; returns how many it freed.
     * Called without any lock of the budget. The implementation must not reserve storage memory, because that could
     * call this method again.
     */
    long evict(long wanted);
}
