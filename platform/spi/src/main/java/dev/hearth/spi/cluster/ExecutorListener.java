package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives executor events from a scheduler backend. Implemented by the module engine. Called on the application's
 * event loop.
 */
@ProviderType
public interface ExecutorListener {
    /**
     * The cluster has begun to start an executor. The executor will either register with the driver or be reported as
     * lost.
     */
    void started(ExecutorId executor, String host, int cores);

    /**
     * As {@link #started(ExecutorId, String, int)}, with the profile, the rack, the attributes and the logs of the
     * executor. A later report about the same executor that has not registered yet replaces the earlier one.
     */
    default void started(ExecutorStart start) {
        started(start.executor(), start.host(), start.cores());
    }

    /**
     * The cluster will take the executor away soon. The executor gets no new tasks and ends after its running tasks.
     */
    void leaving(ExecutorId executor, String reason);

    /**
     * As {@link #leaving(ExecutorId, String)}, with the time that is left until the cluster takes the executor away.
     * Running tasks and the migration of data end by then. Of several notices the earliest end counts.
     */
    default void leaving(ExecutorId executor, String reason, Duration within) {
        leaving(executor, reason);
    }

    /**
     * The cluster has withdrawn its notice that the executor is leaving, so the executor gets tasks again. Has no
     * effect on an executor that the driver has lost or decommissions for a reason of its own.
     */
    default void staying(ExecutorId executor) {}

    /**
     * The executor has ended or is unusable and will not return, whether or not it ever registered. A further report
     * about the same executor replaces the reason of the first one, wherever it is still displayed.
     */
    void lost(ExecutorId executor, LostExecutor why);

    /**
     * The cluster cannot start the requested executors at present, for example because a quota is used up. {@code
     * reason} is displayed to users whose jobs wait. An empty reason says that the hindrance is over.
     */
    default void hindered(String reason) {}

    /**
     * As {@link #hindered}, if no part of the cluster could hold a requested executor even while nothing else runs
     * there, for example because no machine has as much memory. Waiting helps only if the cluster grows. The driver ends
     * an application that has no executors after {@code hearth.scheduler.unplaceableTimeout}, unless {@link #hindered}
     * is called before.
     */
    default void unplaceable(String reason) {
        hindered(reason);
    }

    /**
     * The connection to the cluster is lost for the reason {@code reason}, and the backend looks for another one. Executors
     * and their tasks go on. What the driver wants meanwhile is remembered; executors that end are not replaced before
     * {@link #clusterBack}.
     */
    default void clusterAway(String reason) {
        hindered(reason);
    }

    /** The connection to the cluster is back, after {@link #clusterAway}. */
    default void clusterBack() {
        hindered("");
    }

    /**
     * The cluster supplies no more executors and the existing ones are unreliable. The driver then fails the
     * application.
     */
    void clusterLost(HearthException why);
}
