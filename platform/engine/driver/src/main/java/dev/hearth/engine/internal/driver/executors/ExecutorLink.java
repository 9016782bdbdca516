package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.monitor.ThreadView;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The driver's connection to one executor, in this process or in another. Called on the driver's event loop. */
public interface ExecutorLink {
    /** Sends a stage plan to the executor. Called before the first launch of its tasks. */
    void define(StagePlan plan);

    /**
     * Launches a batch of tasks. {@code shuffles} are the current map-output locations of the shuffles that these tasks
     * read.
     */
    void launch(LaunchBatch batch, List<MapOutputLocations> shuffles);

    /** Removes a stage plan from the executor, because none of its tasks is launched there any more. */
    void forget(StagePlan plan);

    /**
     * Kills a task, or only recalls it from the executor's queue, depending on {@code kind}. The executor still reports
     * the end of the task.
     */
    void kill(long task, KillKind kind, String reason);

    /**
     * Reports the loss of other executors, at least one, so that fetches from them fail at once instead of after
     * retries.
     */
    void executorsLost(List<ExecutorId> others);

    /** Removes the map outputs of a shuffle from the executor. */
    void dropShuffle(int shuffle);

    /** Removes a large task result that the executor stores. The driver has fetched it or does not need it. */
    void dropResult(long task);

    /** Removes a broadcast value from the executor. */
    void dropBroadcast(long broadcast);

    /** Removes a dataset's cached blocks from the executor. The executor caches no further blocks of that dataset. */
    void dropCached(int dataset);

    /**
     * Forbids the executor to evict the cached blocks of a dataset, now and later, because a local checkpoint has cut
     * their lineage.
     */
    void pinCached(int dataset);

    /** Orders the executor to fetch a block from another executor and to cache it as a replica. */
    void copy(ReplicateBlock order);

    /** Orders the executor to fetch a map output from a decommissioned executor and to store it. */
    void copy(MigrateMapOutput order);

    /** The stack traces of the executor's threads. */
    CompletionStage<List<ThreadView>> threads();

    /** Stops the executor. */
    void stop(String reason);
}
