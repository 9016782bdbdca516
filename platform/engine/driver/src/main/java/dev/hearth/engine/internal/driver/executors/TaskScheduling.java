package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;

/** The task scheduling that is notified of added and lost executors. Called on the driver's loop. */
public interface TaskScheduling {
    /** Adds an executor, on which tasks are launched from now on. */
    void executorUp(ExecutorId executor, String host, int cores);

    /** Launches nothing more on an executor whose connection is lost; {@link #executorLost} follows. */
    void suspend(ExecutorId executor);

    /** Launches nothing more on a decommissioned executor, and makes its tasks that have not begun pending again. */
    void decommission(ExecutorId executor);

    /**
     * Runs the tasks of a lost executor again elsewhere. {@code outputsSurvive} says that its map outputs can still be
     * read.
     */
    void executorLost(ExecutorId executor, String host, LostExecutor why, boolean outputsSurvive);

    /** Whether an executor runs tasks. */
    boolean isBusy(ExecutorId executor);

    /** The cores of all executors. */
    int cores();
}
