package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.scheduler.KillKind;
import dev.hearth.engine.internal.task.LaunchBatch;

/** The driver's way to one executor, in this process or in another. Called on the driver's loop. */
public interface ExecutorLink {
    /** Makes a stage known, before its first launch. */
    void define(StagePlan plan);

    void launch(LaunchBatch batch);

    /** No task of the stage will come any more. */
    void forget(StagePlan plan);

    /** Tells a task to end, or takes it back when it has not begun; it still reports how it ended. */
    void kill(long task, KillKind kind, String reason);

    /** Has it keep nothing of a dataset any more. */
    void dropKept(int dataset);

    /** Ends the executor. */
    void stop(String reason);
}
