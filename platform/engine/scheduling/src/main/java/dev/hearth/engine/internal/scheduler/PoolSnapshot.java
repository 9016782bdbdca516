package dev.hearth.engine.internal.scheduler;

import java.util.List;

/**
 * Snapshot of a pool for consoles and user interfaces. {@code stages} lists the stages of its task sets in FIFO order.
 * Tasks that are queued at an executor do not count as running.
 */
public record PoolSnapshot(PoolSpec pool, int activeSets, int runningTasks, List<Integer> stages) {
    public PoolSnapshot {
        stages = List.copyOf(stages);
    }
}
