package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Submits applications in cluster mode for other processes, many at a time: the service that REST, the shell and
 * launchers use in a process that stays. Each request is planned with settings of its own. A stage that has completed with
 * an id means that the cluster has accepted the driver, so that the end of this process loses nothing.
 * <p>Any thread may call; planning may block briefly. Results complete on any thread. At most a configured number of
 * requests is in progress; a further one fails with {@code SUBMISSION_REFUSED}.
 */
@ProviderType
public interface SubmissionGateway {
    /**
     * Submits {@code plan} to {@code master}. A request that repeats {@link SubmissionPlan#requestId} of an earlier one
     * completes with the same id and starts no second driver.
     */
    CompletionStage<SubmissionId> submit(SubmissionPlan plan, MasterUrl master);

    /**
     * Submits what {@code arguments} say, the words of a command line of bin/submit. They come from another process, so
     * no file of this machine is read for them. {@code settings} rank below them and above those of this installation;
     * {@code environment} are variables of the driver. Fails with the error that bin/submit would print, and with {@code
     * DEPLOY_MODE_UNKNOWN} for client mode.
     */
    CompletionStage<SubmissionId> submit(
            List<String> arguments, Settings settings, Map<String, String> environment, String requestId);

    /** Statuses of the submissions on {@code master} that match {@code pattern}; empty if none does. */
    CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern, MasterUrl master);

    /** Kills the submissions that match {@code pattern}; completes with their statuses before the kill. */
    CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern, MasterUrl master);

    /** Forgets the submissions on {@code master} that have ended; completes with their number. */
    CompletionStage<Integer> clear(MasterUrl master);

    /** Part of the file {@code content} that {@code master} holds, as {@link ClusterClient#held}. */
    CompletionStage<UploadStatus> held(ContentId content, MasterUrl master);

    /** Passes {@code piece} on to {@code master} without storing it, as {@link ClusterClient#take}. */
    CompletionStage<UploadStatus> take(ContentPiece piece, MasterUrl master);

    /** Master of requests that name none: that of this process if it is one, otherwise that of its settings. */
    MasterUrl master();

    /** URL of the cluster whose master is this process; empty in other processes. */
    Optional<MasterUrl> own();

    /** State of the master that is this process, as {@link ClusterClient#state}; that of an accepting one elsewhere. */
    String state();

    /** Counts of requests for each cluster that this gateway has been asked for, in the order of their first request. */
    List<ClusterCounts> counts();

    /**
     * Requests for one cluster: those {@code inProgress}, and since the start of this process those {@code accepted},
     * {@code refused} for a bound, and {@code failed} for another reason. {@code connected} says whether a connection
     * is kept.
     */
    record ClusterCounts(String master, int inProgress, long accepted, long refused, long failed, boolean connected) {}
}
