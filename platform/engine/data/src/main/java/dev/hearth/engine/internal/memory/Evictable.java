package dev.hearth.engine.internal.memory;

/**
 * Cache that holds storage memory, and can evict data to free memory for tasks. An example is the block store, which
 * caches datasets. Any thread may call.
 */
public interface Evictable {
    /**
     * Evicts at least {@code wanted} bytes if it can, and releases them to the budget. Returns how many bytes it freed.
     * The caller holds no lock of the budget. The implementation must not reserve storage memory, because that could
     * call this method again.
     */
    long evict(long wanted);
}
