package dev.hearth.spi.monitor;

import java.util.List;
import java.util.OptionalLong;

/** One job: its stages, its tasks over all of them, and how it ended; {@code failure} is empty unless it failed. */
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

    /** Where a job stands. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /** Attempts at stages that are under way or over, and stages that were not needed as their output was there. */
    public record StageCounts(int active, int completed, int skipped, int failed) {}
}
