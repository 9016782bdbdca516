package dev.hearth.engine.internal.memory;

import java.util.List;

/** Keeps bytes in a budget, of which some cannot be evicted. Any thread may call. */
final class TestingEvictable implements Evictable {
    private final MemoryBudget budget;
    private long kept;
    private long pinned;
    private long evicted;

    TestingEvictable(MemoryBudget budget) {
        this.budget = budget;
        budget.evictables(() -> List.of(this));
    }

    boolean keep(long bytes) {
        boolean done = budget.keep(bytes);
        synchronized (this) {
            kept += done ? bytes : 0;
        }
        return done;
    }

    synchronized void pin(long bytes) {
        pinned = bytes;
    }

    synchronized long kept() {
        return kept;
    }

    synchronized long evicted() {
        return evicted;
    }

    @Override
    public long evict(long wanted) {
        long freed;
        synchronized (this) {
            freed = Math.max(0, Math.min(wanted, kept - pinned));
            kept -= freed;
            evicted += freed;
        }
        budget.drop(freed);
        return freed;
    }
}
