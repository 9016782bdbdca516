package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;

/**
 * The work of an application and the executors that do it, as dynamic allocation reads them. Called on the driver's
 * loop.
 */
public interface Workload {
    /** The tasks that run or wait. */
    SchedulerLoad load();

    /** The executors that tasks are launched on. */
    List<ExecutorActivity> executors();

    /** The use that map outputs on an executor still have. */
    ShuffleUse shuffles(ExecutorId executor);
}
