package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.BarrierTaskContext;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Requests of running tasks to their driver. The calls do not block; a task's thread then waits for the returned
 * answer.
 */
public interface DriverCalls {
    /** Asks whether the attempt may commit its output. */
    CompletionStage<Boolean> mayCommit(int stage, int stageAttempt, int partition, int attempt);

    /**
     * Completes when all tasks of the stage attempt have reached the barrier, with the message of each, by partition.
     */
    CompletionStage<List<String>> barrier(BarrierArrival meeting);

    /** The hosts and executors of the tasks of a barrier stage attempt, by partition. */
    CompletionStage<List<BarrierTaskContext.Address>> addresses(int stage, int stageAttempt);

    /**
     * Arrival of one task at the barrier numbered {@code round} of its stage attempt, from 0. {@code gathers} is set
     * for {@code allGather}.
     */
    record BarrierArrival(
            int stage, int stageAttempt, int partition, int partitions, int round, boolean gathers, String message) {}
}
