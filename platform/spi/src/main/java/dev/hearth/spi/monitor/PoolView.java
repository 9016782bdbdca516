package dev.hearth.spi.monitor;

import java.util.List;

/** Scheduling pool with its mode, weight, running tasks and stages. Immutable. */
public record PoolView(String name, boolean fair, int weight, int minShare, int runningTasks, List<Integer> stages) {
    public PoolView {
        stages = List.copyOf(stages);
    }
}
