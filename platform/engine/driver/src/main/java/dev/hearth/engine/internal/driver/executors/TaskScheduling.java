package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;

/** The scheduling of tasks on executors that come and go. Called on the driver's loop. */
public interface TaskScheduling {
    /** Begins to launch tasks on an executor. */
    void executorUp(ExecutorId executor, String host, int cores);

    /** Launches nothing on an executor that cannot be reached, until it is lost. */
    void suspend(ExecutorId executor);

    /**
     * Launches nothing more on an executor that is decommissioned, and takes back the tasks that have not begun there.
     */
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
