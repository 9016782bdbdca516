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

/** The driver's connection to one executor, in this process or in another. Called on the driver's loop. */
public interface ExecutorLink {
    /** Sends a stage to the executor, before the first launch of its tasks. */
    void define(StagePlan plan);

    /** Runs a batch; {@code shuffles} are the map-output locations of the shuffles that its tasks read, as of now. */
    void launch(LaunchBatch batch, List<MapOutputLocations> shuffles);

    /** Removes a stage from the executor, which gets no further task of it. */
    void forget(StagePlan plan);

    /** Kills a task, or recalls it if it has not begun. The executor still reports the end of the task. */
    void kill(long task, KillKind kind, String reason);

    /** Reports the loss of other executors, at least one, so that fetches from them fail at once. */
    void executorsLost(List<ExecutorId> others);

    /** Removes the map outputs of a shuffle from the executor. */
    void dropShuffle(int shuffle);

    /** Removes a large task result, which the driver has fetched or does not need. */
    void dropResult(long task);

    /** Removes a broadcast value from the executor. */
    void dropBroadcast(long broadcast);

    /** Removes a dataset's cached blocks from the executor, which caches no further blocks of that dataset. */
    void dropCached(int dataset);

    /** Forbids the eviction of a dataset's blocks, cached now or later: a local checkpoint has cut their lineage. */
    void pinCached(int dataset);

    /** Orders the executor to fetch a block from another executor and to cache it as a replica. */
    void copy(ReplicateBlock order);

    /** Orders the executor to fetch the output of a map task from another, decommissioned executor and to store it. */
    void copy(MigrateMapOutput order);

    /** The stack traces of the executor's threads. */
    CompletionStage<List<ThreadView>> threads();

    /** Stops the executor. */
    void stop(String reason);
}
