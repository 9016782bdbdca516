package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.BarrierTaskContext;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Requests of running tasks to their driver. No call blocks; the thread of the task then waits for the returned answer.
 */
public interface DriverCalls {
    /** Asks whether the attempt may commit its output. */
    CompletionStage<Boolean> mayCommit(int stage, int stageAttempt, int partition, int attempt);

    /**
     * Reports that a task has reached a barrier. Completes once all tasks of the stage attempt have reached it, with
     * the messages that they passed, by partition.
     */
    CompletionStage<List<String>> barrier(BarrierArrival meeting);

    /** Returns the host and executor of each task of a barrier stage attempt, by partition. */
    CompletionStage<List<BarrierTaskContext.Address>> addresses(int stage, int stageAttempt);

    /**
     * Arrival of one task at a barrier. {@code round} numbers the barriers of a stage attempt from 0; {@code gathers}
     * is set for {@code allGather}.
     */
    record BarrierArrival(
            int stage, int stageAttempt, int partition, int partitions, int round, boolean gathers, String message) {}
}
