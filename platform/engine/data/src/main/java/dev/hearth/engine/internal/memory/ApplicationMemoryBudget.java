package dev.hearth.engine.internal.memory;

import dev.hearth.engine.internal.memory.MemoryLedger.ApplicationShare;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Memory budget of one application in the {@link ProcessMemory}. It knows the caches of the application that can evict
 * blocks.
 */
final class ApplicationMemoryBudget implements MemoryBudget {
    private final ProcessMemory process;
    private final ApplicationShare part;
    private final List<Supplier<? extends Iterable<Evictable>>> evictables = new CopyOnWriteArrayList<>();

    ApplicationMemoryBudget(ProcessMemory process, MemoryLedger ledger, long total, double storageFraction) {
        this.process = process;
        this.part = ledger.open(total, storageFraction, this::evict);
    }

    @Override
    public TaskMemory open(long task, Runnable killed) {
        return new TaskAttemptMemory(process, part, task, killed);
    }

    @Override
    public void wake() {
        process.wake();
    }

    @Override
    public boolean keep(long bytes) {
        return process.keep(part, TaskAttemptMemory.requireNonNegative(bytes));
    }

    @Override
    public void drop(long bytes) {
        process.drop(part, TaskAttemptMemory.requireNonNegative(bytes));
    }

    @Override
    public void evictables(Supplier<? extends Iterable<Evictable>> holders) {
        evictables.add(holders);
    }

    private long evict(long wanted) {
        long freed = 0;
        for (Supplier<? extends Iterable<Evictable>> holders : evictables) {
            for (Evictable holder : holders.get()) {
                if (freed >= wanted) {
                    return freed;
                }
                freed += holder.evict(wanted - freed);
            }
        }
        return freed;
    }

    @Override
    public long total() {
        return part.total;
    }

    @Override
    public long storageUsed() {
        return process.storageOf(part);
    }

    @Override
    public long executionUsed() {
        return process.executionOf(part);
    }

    @Override
    public void close() {
        process.close(part);
    }
}
