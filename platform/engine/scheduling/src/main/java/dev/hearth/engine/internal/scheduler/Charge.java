package dev.hearth.engine.internal.scheduler;

import dev.hearth.spi.cluster.LostExecutor;

/** Counters that an unsuccessful end of a task attempt increases. */
enum Charge {
    NONE,
    /** Counts as a failure of the task. */
    TASK,
    /** Counts as a failure of the task, and towards exclusion of the executor and its host. */
    TASK_AND_HOST;

    /** The charge for an attempt that was running when its executor was lost. */
    static Charge of(LostExecutor.Cause cause) {
        return cause.chargesHost() ? TASK_AND_HOST : cause.chargesTasks() ? TASK : NONE;
    }
}
