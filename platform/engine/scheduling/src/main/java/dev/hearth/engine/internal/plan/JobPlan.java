package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * A job as planned: its stages, each after those it reads, the one that makes the result last; and which partitions of that one
 * are wanted, in the order of the results.
 */
@SuppressWarnings(
        "ArrayRecordComponent") // never changed by anybody; millions of partitions must not be millions of boxes
public record JobPlan(List<StagePlan> stages, int[] partitions) {
    public JobPlan {
        stages = List.copyOf(stages);
    }

    public StagePlan result() {
        return stages.get(stages.size() - 1);
    }
}
