package dev.hearth.spi.monitor;

import dev.hearth.api.event.StageInfo;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.OptionalLong;

/**
 * Stage attempt. {@code taskCounts.succeeded} counts partitions; {@code metrics} sums ended task attempts. {@code
 * summarised} counts the task attempts that were reported only as a sum, because there were too many to report
 * individually.
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
