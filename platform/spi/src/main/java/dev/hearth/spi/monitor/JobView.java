package dev.hearth.spi.monitor;

import java.util.List;
import java.util.OptionalLong;

/**
 * State of one job: its stages, counts of stage and task attempts, and outcome. {@code failure} is empty unless the job
 * failed. Immutable.
 */
public record JobView(
        int id,
        String name,
        String description,
        String group,
        List<String> tags,
        State state,
        String failure,
        long startedMillis,
        OptionalLong endedMillis,
        List<Integer> stages,
        StageCounts stageCounts,
        int tasks,
        int skippedTasks,
        TaskCounts taskCounts) {
    public JobView {
        tags = List.copyOf(tags);
        stages = List.copyOf(stages);
    }

    /** State of a job. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /**
     * Number of running, completed and failed stage attempts, and of stages skipped because their output already
     * existed.
     */
    public record StageCounts(int active, int completed, int skipped, int failed) {}
}
