package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.BarrierTaskContext;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What running tasks ask their driver. Called by the tasks' threads, which wait for the answers; calls themselves do not block. */
public interface DriverCalls {
    /** Whether the attempt may publish its output. */
    CompletionStage<Boolean> mayCommit(int stage, int stageAttempt, int partition, int attempt);

    /** Completes when all tasks of the stage attempt have come to the same meeting, with what they brought, by partition. */
    CompletionStage<List<String>> barrier(BarrierArrival meeting);

    /** Where the tasks of a barrier stage attempt run, by partition. */
    CompletionStage<List<BarrierTaskContext.Address>> addresses(int stage, int stageAttempt);

    /** One task coming to the {@code round}th meeting of its stage attempt, counted from 0. {@code gathers} tells the two kinds apart. */
    record BarrierArrival(
            int stage, int stageAttempt, int partition, int partitions, int round, boolean gathers, String message) {}
}
