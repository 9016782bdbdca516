package dev.hearth.engine.internal.memory;

import java.util.List;

/** A holder of storage memory, some of which cannot be evicted. Any thread may call. */
final class TestingEvictable implements Evictable {
    private final MemoryBudget budget;
    private long stored;
    private long pinned;
    private long evicted;

    TestingEvictable(MemoryBudget budget) {
        this.budget = budget;
        budget.evictables(() -> List.of(this));
    }

    boolean keep(long bytes) {
        boolean reserved = budget.keep(bytes);
        synchronized (this) {
            stored += reserved ? bytes : 0;
        }
        return reserved;
    }

    synchronized void pin(long bytes) {
        pinned = bytes;
    }

    synchronized long stored() {
        return stored;
    }

    synchronized long evicted() {
        return evicted;
    }

    @Override
    public long evict(long wanted) {
        long freed;
        synchronized (this) {
            freed = Math.max(0, Math.min(wanted, stored - pinned));
            stored -= freed;
            evicted += freed;
        }
        budget.drop(freed);
        return freed;
    }
}
