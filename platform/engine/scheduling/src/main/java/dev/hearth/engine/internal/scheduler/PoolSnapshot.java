package dev.hearth.engine.internal.scheduler;

import java.util.List;

/** A pool at one moment, for people to see: its sets name the {@code stages} in the order in which they came. */
public record PoolSnapshot(PoolSpec pool, int activeSets, int runningTasks, List<Integer> stages) {
    public PoolSnapshot {
        stages = List.copyOf(stages);
    }
}
