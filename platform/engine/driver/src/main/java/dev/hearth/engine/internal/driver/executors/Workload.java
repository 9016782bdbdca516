package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;

/**
 * The pending and running tasks of an application and the activity of its executors: the input of dynamic allocation.
 * Called on the driver's loop.
 */
public interface Workload {
    /** The load of running and pending tasks. */
    SchedulerLoad load();

    /** The executors that tasks are launched on. */
    List<ExecutorActivity> executors();

    /** Returns whether a running job needs map outputs on an executor, a later job could read them, or neither. */
    ShuffleUse shuffles(ExecutorId executor);
}
