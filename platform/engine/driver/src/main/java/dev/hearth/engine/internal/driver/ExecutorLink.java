package dev.hearth.engine.internal.driver;

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

/** The driver's way to one executor, in this process or in another. Called on the driver's loop. */
public interface ExecutorLink {
    /** Makes a stage known, before its first launch. */
    void define(StagePlan plan);

    /** Runs a batch; {@code shuffles} are the map-output locations of the shuffles that its tasks read, as of now. */
    void launch(LaunchBatch batch, List<MapOutputLocations> shuffles);

    /** No task of the stage will come any more. */
    void forget(StagePlan plan);

    /** Tells a task to end, or takes it back when it has not begun; it still reports how it ended. */
    void kill(long task, KillKind kind, String reason);

    /** Other executors are gone: one at least. */
    void gone(List<ExecutorId> others);

    /** Has it let go of what it holds of a shuffle. */
    void dropShuffle(int shuffle);

    /** Has it let go of a large result. */
    void dropResult(long task);

    /** Has it let go of a broadcast value. */
    void dropBroadcast(long broadcast);

    /** Has it keep nothing of a dataset any more. */
    void dropCached(int dataset);

    /** Has it hold on to what it keeps of a dataset, now and later: nobody could make it again. */
    void pinCached(int dataset);

    /** Has it keep a block that another executor keeps. */
    void copy(ReplicateBlock order);

    /** Has it hold the output of a map task in place of another executor. */
    void copy(MigrateMapOutput order);

    /** What the threads of its process do. */
    CompletionStage<List<ThreadView>> threads();

    /** Ends the executor. */
    void stop(String reason);
}
