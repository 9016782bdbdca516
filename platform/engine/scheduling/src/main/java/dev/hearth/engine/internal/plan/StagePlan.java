package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.resource.TaskProfile;
import java.util.List;

/**
 * Plan of one stage. Created on the thread that submits the job. Immutable.
 * <p>{@code shuffle} is the shuffle that the stage writes, or {@link #RESULT}. Two plans with the same shuffle describe
 * the same stage. {@code parents} are the shuffles that the stage reads. If {@code covered}, all partitions were cached
 * when the stage was planned, so it may start before its parents have run. {@code profile} says what executors and tasks
 * of the stage need.
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
        boolean covered,
        TaskProfile profile) {
    public static final int RESULT = -1;

    /** Creates the plan of a stage of the default profile that starts only once its parent stages have run. */
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
        this(
                shuffle,
                pipeline,
                inputs,
                partitions,
                parents,
                placement,
                barrier,
                name,
                details,
                datasets,
                false,
                TaskProfile.DEFAULT);
    }

    public StagePlan {
        parents = List.copyOf(parents);
        datasets = List.copyOf(datasets);
    }

    public boolean isResult() {
        return shuffle == RESULT;
    }
}
