package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * A job as planned: its stages, each after those it reads, the one that makes the result last; and which partitions of that one
 * are wanted, in the order of the results.
 */
public record JobPlan(List<StagePlan> stages, List<Integer> partitions) {
    public JobPlan {
        stages = List.copyOf(stages);
        partitions = List.copyOf(partitions);
    }

    public StagePlan result() {
        return stages.get(stages.size() - 1);
    }
}
