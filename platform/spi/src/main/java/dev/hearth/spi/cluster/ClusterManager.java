package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * All of one kind of cluster: its URL schemes, its submission rules, and the executors it gives to applications.
 * <p>Implemented by bundles; found by {@link #SCHEME}, the highest bundle version first. Calls must not block. Results may
 * complete on any thread; callers return to their loop before using them.
 */
@ConsumerType
public interface ClusterManager {
    /** Service property: the master URL schemes answered here, for example {@code yarn}. */
    String SCHEME = "hearth.cluster-manager.scheme";

    Set<DeployMode> deployModes();

    /** Refuses a master URL of its scheme that it cannot make sense of, with {@code BAD_ARGUMENT}. */
    void validate(MasterUrl master);

    /** Settings that applications on {@code master} want where nothing else says otherwise: the lowest rank of all. */
    Map<String, String> defaults(MasterUrl master);

    /** Opens the backend through which an application holds executors on {@code master}. */
    CompletionStage<SchedulerBackend> open(ApplicationSpec application, MasterUrl master, DriverServices driver);

    /**
     * Hands a driver to the cluster. Completes once the cluster has taken it, and tells {@code listener} how it fares
     * from then on; fails with {@code SUBMISSION_REFUSED} when the cluster says no.
     */
    default CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    /** How a submission fares; fails with {@code SUBMISSION_UNKNOWN}. */
    default CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    /** Ends a submission; completes with what it was when the order arrived. Fails with {@code SUBMISSION_UNKNOWN}. */
    default CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    /** The failure of the three above where {@link #deployModes} has no cluster mode: they need not be implemented then. */
    private static HearthException noClusterMode(MasterUrl master) {
        return ErrorCode.DEPLOY_MODE_UNKNOWN.failure(
                "master " + master + ": has no cluster mode (expected: --deploy-mode client)");
    }
}
