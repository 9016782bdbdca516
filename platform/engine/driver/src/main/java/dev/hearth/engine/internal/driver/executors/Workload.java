package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;

/**
 * The input of dynamic allocation: the pending and running tasks of an application and the activity of its executors.
 * Called on the driver's event loop.
 */
public interface Workload {
    /** The numbers of running and pending tasks of the application. */
    SchedulerLoad load();

    /** The hosts that the pending tasks of the application prefer. */
    PreferredHosts preferredHosts();

    /** The executors on which tasks may be launched. */
    List<ExecutorActivity> executors();

    /** Whether jobs need the map outputs on an executor: a running job, possibly a later job, or none. */
    ShuffleUse shuffles(ExecutorId executor);
}
