package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * One stage as planned on the thread that asked for its job: what its tasks do, on what, and which shuffles they read.
 * <p>{@code shuffle} is what it writes, or {@link #RESULT}. Two plans with the same shuffle describe the same stage.
 * {@code covered} when all it wants was kept as it was planned: then it may begin before what it reads is there.
 */
public record StagePlan(
        int shuffle,
        Pipeline pipeline,
        PartitionInputs inputs,
        int partitions,
        List<Integer> parents,
        PreferredLocations placement,
        boolean barrier,
        String name,
        String details,
        List<Integer> datasets,
        boolean covered) {
    public static final int RESULT = -1;

    /** A stage that needs what it reads. */
    public StagePlan(
            int shuffle,
            Pipeline pipeline,
            PartitionInputs inputs,
            int partitions,
            List<Integer> parents,
            PreferredLocations placement,
            boolean barrier,
            String name,
            String details,
            List<Integer> datasets) {
        this(shuffle, pipeline, inputs, partitions, parents, placement, barrier, name, details, datasets, false);
    }

    public StagePlan {
        parents = List.copyOf(parents);
        datasets = List.copyOf(datasets);
    }

    public boolean isResult() {
        return shuffle == RESULT;
    }
}
