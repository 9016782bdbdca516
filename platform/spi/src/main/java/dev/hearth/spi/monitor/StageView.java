package dev.hearth.spi.monitor;

import dev.hearth.api.event.StageInfo;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.OptionalLong;

/**
 * State of one stage attempt. {@code taskCounts.succeeded} counts the partitions with a successful task attempt; {@code
 * metrics} is the sum over the ended task attempts. {@code summarised} counts the task attempts that were too many to
 * be reported individually, and so were reported only as sums.
 */
public record StageView(
        StageInfo info,
        State state,
        String failure,
        List<Integer> jobs,
        OptionalLong submittedMillis,
        OptionalLong firstTaskMillis,
        OptionalLong endedMillis,
        TaskCounts taskCounts,
        TaskMetrics metrics,
        long summarised,
        List<AccumulableView> accumulables) {
    public StageView {
        jobs = List.copyOf(jobs);
        accumulables = List.copyOf(accumulables);
    }

    public int id() {
        return info.stage();
    }

    public int attempt() {
        return info.attempt();
    }

    /** State of a stage attempt. */
    public enum State {
        PENDING,
        ACTIVE,
        COMPLETE,
        FAILED,
        SKIPPED
    }
}
