package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import java.util.List;
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
     * Default settings of applications on {@code master} whose driver runs as {@code mode} says. Every other source of
     * settings overrides them. Those of {@link #defaults(MasterUrl)}, if not overridden.
     */
    default Map<String, String> defaults(MasterUrl master, DeployMode mode) {
        return defaults(master);
    }

    /**
     * Rules for submissions to {@code master}: flags, schemes of files, what a front end prints. If not overridden,
     * those in the file {@link SubmissionRuleTable#FILE} of this manager's bundle, which front ends read without
     * starting the bundle. A flag that only an overriding method returns is unknown to front ends.
     */
    default SubmissionRules rules(MasterUrl master) {
        return SubmissionRuleTable.of(getClass()).rules(master.scheme());
    }

    /**
     * Checks an application before its driver starts, in either mode. Fails with a message for the user, for example if
     * a setting is missing without which no executor can start. The settings of {@code plan} do not include the defaults
     * of this manager.
     * <p>Front ends call it with the whole plan. In client mode it is called again for each context that the application
     * opens, as its settings may differ; that plan has only a name and settings. Keep it short: it runs at each start.
     */
    default void check(SubmissionPlan plan, MasterUrl master, DeployMode mode) {
        // a manager without rules of its own accepts every plan
    }

    /**
     * Loads the classes that submitters and drivers use, by running their code without a cluster. Called in a process that
     * waits for its launch orders, and in the one that writes the archive of classes; may block. A failure is logged, and
     * has no other effect. If not overridden, does nothing.
     */
    default void prepare() throws Exception {
        // a manager with few classes of its own gains nothing
    }

    /**
     * Loads the classes that submitters in cluster mode use, and no others. Called in a process that writes an archive of
     * classes for them alone; may block. A failure is logged, and has no other effect. If not overridden, does nothing.
     */
    default void prepareSubmission() throws Exception {
        // only a manager with an archive for its submitters has it called
    }

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
     * Current statuses of all submissions that match {@code pattern}; empty if none does. If not overridden, only the
     * pattern of a single submission is supported; others fail with {@code BAD_ARGUMENT}.
     */
    default CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return pattern.single()
                .map(submission -> status(submission, master, services).thenApply(List::of))
                .orElseGet(() -> CompletableFuture.failedStage(noPatterns(pattern, master)));
    }

    /**
     * Kills the drivers of all submissions that match {@code pattern}; completes with their statuses before the kill,
     * empty if no submission matches. If not overridden, only the pattern of a single submission is supported; others
     * fail with {@code BAD_ARGUMENT}.
     */
    default CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return pattern.single()
                .map(submission -> kill(submission, master, services).thenApply(List::of))
                .orElseGet(() -> CompletableFuture.failedStage(noPatterns(pattern, master)));
    }

    /**
     * Forgets the submissions that have ended; completes with their number. If not overridden, fails with {@code
     * BAD_ARGUMENT}, because the cluster itself decides how long it remembers them.
     */
    default CompletionStage<Integer> clear(MasterUrl master, SubmissionServices services) {
        return CompletableFuture.failedStage(ErrorCode.BAD_ARGUMENT.failure("master " + master
                + ": cannot forget ended submissions (expected: a cluster whose manager can); they are forgotten when the"
                + " cluster decides"));
    }

    /**
     * Client for many requests about submissions to {@code master}, which may keep a connection between them. It uses
     * {@code services} until it is closed. If not overridden, each request is a call of this manager.
     */
    default ClusterClient client(MasterUrl master, SubmissionServices services) {
        return ClusterClient.of(this, master, services);
    }

    /**
     * View of the cluster {@code master}, which asks it with {@code services} and is usable as long as they are. If not
     * overridden, a view that knows nothing.
     */
    default ClusterView view(MasterUrl master, SubmissionServices services) {
        return ClusterView.NONE;
    }

    private static HearthException noPatterns(SubmissionPattern pattern, MasterUrl master) {
        return ErrorCode.BAD_ARGUMENT.failure(
                "submission '" + pattern + "': a pattern (expected: the id of one submission" + " on " + master + ")");
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
