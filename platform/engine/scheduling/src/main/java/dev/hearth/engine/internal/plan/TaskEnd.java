package dev.hearth.engine.internal.plan;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Optional;

/**
 * End of one task attempt, as its executor reports it. {@code fetch} is present only if the outcome is
 * {@code FETCH_FAILED}. Immutable.
 */
public record TaskEnd(
        long task,
        TaskOutcome outcome,
        TaskResult value,
        TaskFailure failure,
        Optional<FetchFailure> fetch,
        TaskMetrics metrics,
        List<AccumulatorUpdate> accumulated) {

    public static TaskEnd succeeded(
            long task, TaskResult value, TaskMetrics metrics, List<AccumulatorUpdate> accumulated) {
        return new TaskEnd(
                task, TaskOutcome.SUCCEEDED, value, TaskFailure.NONE, Optional.empty(), metrics, accumulated);
    }

    /** Creates the report of the end of a task without a result, for any outcome except success and a fetch failure. */
    public static TaskEnd ended(long task, TaskOutcome outcome, TaskFailure failure, TaskMetrics metrics) {
        return new TaskEnd(task, outcome, TaskResult.NONE, failure, Optional.empty(), metrics, List.of());
    }

    public static TaskEnd fetchFailed(long task, FetchFailure fetch, TaskFailure failure, TaskMetrics metrics) {
        return new TaskEnd(
                task, TaskOutcome.FETCH_FAILED, TaskResult.NONE, failure, Optional.of(fetch), metrics, List.of());
    }
}
