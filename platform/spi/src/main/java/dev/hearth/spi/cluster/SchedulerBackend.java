package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Connection between one application and one cluster, which supplies executors and nothing else. Called on the
 * application's event loop.
 * <p>Executor events are reported to the {@link ExecutorListener} of the driver, each in a separate action of that
 * loop.
 */
@ConsumerType
public interface SchedulerBackend {
    /** Id of the application on the cluster. */
    ApplicationId application();

    /** Attempt of the cluster at running the application; empty if the cluster runs each application only once. */
    default Optional<String> attempt() {
        return Optional.empty();
    }

    /** Addresses of the application on the cluster. Called once, when the application starts. */
    default ApplicationLinks links() {
        return ApplicationLinks.NONE;
    }

    /**
     * Sets the total number of executors requested per profile, and the hosts that must not run executors. Totals are
     * absolute numbers, not differences, so the call is idempotent. {@link DriverServices#profile} says what an
     * executor of a profile needs; {@link ExecutorListener#started(ExecutorStart)} names its profile before it registers.
     */
    void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts);

    /**
     * Ends these executors and returns their cores and memory to the cluster. The requested total stays unchanged, so
     * the cluster starts replacements unless the caller lowers the total with {@link #want} first.
     */
    void release(Set<ExecutorId> executors, String reason);

    /** An executor of this backend has registered with the driver. It is not called again for the same executor. */
    default void registered(ExecutorId executor) {}

    /**
     * The driver decommissions an executor: it gets no more tasks, and {@link #release} follows once its data is migrated.
     * Called at most once per executor.
     */
    default void decommissioned(ExecutorId executor) {}

    /**
     * The driver doubts that an executor still runs, because its connection is lost or its heartbeats are missing. The
     * backend should find out what the cluster knows and report {@link ExecutorListener#lost} as soon as it does. Called
     * once per doubt: again only if the executor sends a heartbeat and then falls silent again.
     */
    default void doubted(ExecutorId executor) {}

    /**
     * Time that the driver waits for a report about an executor whose connection is lost; then it gives the executor up
     * without knowing the cause. The driver calls this method after each lost connection. Zero means that it does not
     * wait.
     */
    default Duration lossReportWait() {
        return Duration.ofSeconds(5);
    }

    /**
     * Whether executors of this backend may hand their map outputs over to a shuffle service of their host, as {@code
     * hearth.shuffle.service.enabled} asks.
     */
    default boolean offersShuffleServices() {
        return false;
    }

    /** Releases all executors. The result completes when the cluster has been notified. Idempotent. */
    CompletionStage<Void> close(ApplicationResult result);
}
