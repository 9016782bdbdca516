package dev.hearth.engine.internal.scheduler;

import java.util.List;

/**
 * Snapshot of a pool for consoles and user interfaces. {@code stages} lists the stages of its sets in FIFO order; tasks that queue at
 * an executor for a core do not count as running.
 */
public record PoolSnapshot(PoolSpec pool, int activeSets, int runningTasks, List<Integer> stages) {
    public PoolSnapshot {
        stages = List.copyOf(stages);
    }
}
