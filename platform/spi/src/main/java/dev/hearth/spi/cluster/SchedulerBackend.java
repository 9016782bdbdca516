package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One application's hold on one cluster: it supplies executors, no more. Called on the application's loop.
 * <p>What becomes of executors is told to the {@link ExecutorListener} it was opened with.
 */
@ConsumerType
public interface SchedulerBackend {
    /** The id under which the cluster knows the application. */
    ApplicationId application();

    /** Sets the wanted totals, not differences, so a repeated or late call does no harm. */
    void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts);

    /** Gives back these executors; the wanted total stays, so whoever wants fewer says so first. */
    void release(Set<ExecutorId> executors, String reason);

    /** Gives everything back, once; completes when the cluster was told. */
    CompletionStage<Void> close(ApplicationResult result);
}
