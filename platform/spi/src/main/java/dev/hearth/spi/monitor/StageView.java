package dev.hearth.spi.monitor;

import dev.hearth.api.event.StageInfo;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.OptionalLong;

/**
 * One attempt at a stage. {@code taskCounts.succeeded} counts partitions; {@code metrics} is the sum over ended attempts;
 * {@code summarised} of them are known by numbers alone, for there were too many to tell singly.
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

    /** Where an attempt at a stage stands. */
    public enum State {
        PENDING,
        ACTIVE,
        COMPLETE,
        FAILED,
        SKIPPED
    }
}
