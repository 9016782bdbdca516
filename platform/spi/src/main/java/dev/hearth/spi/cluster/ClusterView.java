package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.process.OutputRange;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * State of one cluster, for consoles and pages: its workers, applications, executors and drivers.
 * <p>A manager returns one from {@link ClusterManager#view}, which asks the cluster. A process that is part of a
 * cluster, such as its master, registers one as a service, which reads its own state and says so by {@link #own}. A view
 * implements the methods that its cluster can answer. Each answer is a snapshot of its own. Calls must not block;
 * results complete on any thread.
 */
@ConsumerType
public interface ClusterView {
    /** View of a cluster whose manager knows nothing. */
    ClusterView NONE = new ClusterView() {};

    /** URL of the cluster that this process is part of, if this view is that process's own; otherwise empty. */
    default Optional<MasterUrl> own() {
        return Optional.empty();
    }

    /** Workers, in the order of their registration. Lost workers follow, as long as they are remembered. */
    default CompletionStage<ClusterListing<WorkerEntry>> workers() {
        return untold("workers");
    }

    /** Applications, in the order of their start. Ended ones are included as long as they are remembered. */
    default CompletionStage<ClusterListing<ApplicationEntry>> applications() {
        return untold("applications");
    }

    /**
     * Executors of {@code application}, or of all applications, in the order of their start. Ended ones are included as
     * long as they are remembered.
     */
    default CompletionStage<ClusterListing<ExecutorEntry>> executors(Optional<ApplicationId> application) {
        return untold("executors");
    }

    /** Drivers that the cluster runs, in the order of their submission. Ended ones are included as long as remembered. */
    default CompletionStage<ClusterListing<DriverEntry>> drivers() {
        return untold("drivers");
    }

    /**
     * Kills an application, which then fails with {@code APPLICATION_KILLED} and {@code reason}; completes with its
     * state before the kill. Fails with {@code APPLICATION_UNKNOWN} if the cluster does not know the application.
     */
    default CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
        return CompletableFuture.failedStage(ErrorCode.BAD_ARGUMENT.failure("application " + application
                + ": this cluster manager cannot kill an application (expected: a cluster whose manager can); kill its"
                + " submission or end its driver"));
    }

    /**
     * Decommissions the workers that have one of the ids, or are on one of the hosts, that {@code targets} contains; the
     * case of hosts does not matter. Nothing new starts on them, and they end when what runs there has ended. Completes with
     * the ids of those workers, also of those that leave already; with none if there is no such worker.
     */
    default CompletionStage<List<String>> decommission(List<String> targets, String reason) {
        return CompletableFuture.failedStage(ErrorCode.BAD_ARGUMENT.failure("decommission of " + targets
                + ": this cluster manager cannot decommission workers (expected: a cluster whose manager can)"));
    }

    /**
     * Reads part of the output of a driver or executor, running or ended. {@code holder} repeats that of the part
     * before; it is empty for the first one. Fails with {@code LOG_UNKNOWN} if the cluster has no files of the process.
     */
    default CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        return CompletableFuture.failedStage(ErrorCode.LOG_UNKNOWN.failure(
                "log of " + source + ": this cluster manager keeps no logs (expected: a manager that can read them)"));
    }

    /**
     * As {@link #log(LogSource, OutputRange, String)}, for the process of one {@code attempt} of its application; of the last
     * one, or the only one, if it is empty. If not overridden, fails for a given attempt: the cluster has none.
     */
    default CompletionStage<LogChunk> log(LogSource source, OptionalInt attempt, OutputRange range, String holder) {
        return attempt.isEmpty()
                ? log(source, range, holder)
                : CompletableFuture.failedStage(ErrorCode.BAD_ARGUMENT.failure("attempt " + attempt.getAsInt() + " of "
                        + source + ": this cluster manager counts no attempts (expected: none)"));
    }

    private static <T> CompletionStage<ClusterListing<T>> untold(String what) {
        return CompletableFuture.completedStage(
                ClusterListing.unknown("this cluster manager cannot list " + what + " of its cluster"));
    }
}
