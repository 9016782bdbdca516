package dev.hearth.spi.monitor;

import java.util.List;

/** A pool of task sets: how it shares, what of it runs, and the stages that are in it. */
public record PoolView(String name, boolean fair, int weight, int minShare, int runningTasks, List<Integer> stages) {
    public PoolView {
        stages = List.copyOf(stages);
    }
}
