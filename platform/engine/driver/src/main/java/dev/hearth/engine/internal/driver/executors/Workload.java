package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;

/**
 * The input of dynamic allocation: the pending and running tasks of an application and the activity of its executors.
 * Called on the driver's event loop.
 */
public interface Workload {
    /** The profiles that have executors of their own, the default one first. */
    List<ProfileId> profiles();

    /** The numbers of running and pending tasks on executors of a profile. */
    SchedulerLoad load(ProfileId profile);

    /** The hosts that the pending tasks on executors of a profile prefer. */
    PreferredHosts preferredHosts(ProfileId profile);

    /** The executors of a profile on which tasks may be launched. */
    List<ExecutorActivity> executors(ProfileId profile);

    /** Whether jobs need the map outputs on an executor: a running job, possibly a later job, or none. */
    ShuffleUse shuffles(ExecutorId executor);
}
