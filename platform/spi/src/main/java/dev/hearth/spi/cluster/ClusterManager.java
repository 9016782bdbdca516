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
 * Support for one kind of cluster: its master URL schemes, its submission rules, and the executors it supplies.
 * <p>Implemented by bundles. Among the managers whose {@link #SCHEME} contains the scheme of a master URL, the kernel
 * selects the one with the highest bundle version. Calls must not block. Results may complete on any thread; callers
 * switch to their own event loop before they use them.
 */
@ConsumerType
public interface ClusterManager {
    /** Service property: the master URL schemes handled by this manager, for example {@code yarn}. */
    String SCHEME = "hearth.cluster-manager.scheme";

    Set<DeployMode> deployModes();

    /**
     * Checks that {@code master} is well formed for this kind of cluster; fails with {@code BAD_ARGUMENT} otherwise.
     */
    void validate(MasterUrl master);

    /**
     * Default settings that this manager gives to applications on {@code master}; every other source of settings
     * overrides them.
     */
    Map<String, String> defaults(MasterUrl master);

    /**
     * Opens the backend (the connection to the cluster) that supplies executors on {@code master} to an application.
     */
    CompletionStage<SchedulerBackend> open(ApplicationSpec application, MasterUrl master, DriverServices driver);

    /**
     * Submits the application {@code plan}, whose driver is to run on the cluster. The result completes when the
     * cluster has accepted the driver. Afterwards, the manager reports every state change to {@code listener}. Fails
     * with {@code SUBMISSION_REFUSED} if the cluster refuses the driver.
     */
    default CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    /**
     * Current status of a submission. Fails with {@code SUBMISSION_UNKNOWN} if the cluster does not know the
     * submission.
     */
    default CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    /**
     * Kills the driver of a submission; completes with the status before the kill. Fails with {@code
     * SUBMISSION_UNKNOWN} if the cluster does not know the submission.
     */
    default CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(noClusterMode(master));
    }

    /**
     * Creates the failure of {@link #submit}, {@link #status} and {@link #kill} for managers whose {@link #deployModes}
     * lack cluster mode.
     */
    private static HearthException noClusterMode(MasterUrl master) {
        return ErrorCode.DEPLOY_MODE_UNKNOWN.failure(
                "master " + master + ": has no cluster mode (expected: --deploy-mode client)");
    }
}
