package dev.hearth.engine.internal.scheduler;

import java.util.List;

/** A pool at one moment, for people to see: its sets name the {@code stages} in the order in which they came. */
public record PoolView(PoolSpec pool, int activeSets, int runningTasks, List<Integer> stages) {
    public PoolView {
        stages = List.copyOf(stages);
    }
}
