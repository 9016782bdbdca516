package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * Plan of one job: its stages and the partitions of the result stage to compute. The order of these partitions is the
 * order of the results. Each stage follows its parents, so the result stage is the last. Immutable.
 */
// The array is never modified. A list would box millions of partition numbers.
@SuppressWarnings("ArrayRecordComponent")
public record JobPlan(List<StagePlan> stages, int[] partitions) {
    public JobPlan {
        stages = List.copyOf(stages);
    }

    public StagePlan result() {
        return stages.get(stages.size() - 1);
    }
}
