package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Submits applications in cluster mode for other processes, many at a time: the service behind REST, the shell and
 * launchers in a process that stays. Each request is planned with settings and class loaders of its own. A stage that has
 * completed with an id means that the cluster has accepted the driver, so that the end of this process loses nothing.
 * <p>Any thread may call; results complete on any thread. At most a configured number of requests is in progress; a
 * further one fails with {@code SUBMISSION_REFUSED}.
 */
@ProviderType
public interface SubmissionGateway {
    /**
     * Submits {@code plan} to {@code master}. A request that repeats {@link SubmissionPlan#requestId} of an earlier one
     * completes with the same id and starts no second driver.
     */
    CompletionStage<SubmissionId> submit(SubmissionPlan plan, MasterUrl master);

    /**
     * Submits what {@code arguments} say, the words of a command line of bin/submit. {@code settings} rank below them and
     * above those of this installation; {@code environment} are variables of the driver. Fails with the error that
     * bin/submit would print, and with {@code DEPLOY_MODE_UNKNOWN} for client mode.
     */
    CompletionStage<SubmissionId> submit(
            List<String> arguments, Settings settings, Map<String, String> environment, String requestId);

    /** Statuses of the submissions on {@code master} that match {@code pattern}; empty if none does. */
    CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern, MasterUrl master);

    /** Kills the submissions that match {@code pattern}; completes with their statuses before the kill. */
    CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern, MasterUrl master);

    /** Master of requests that name none: that of this process if it is one, otherwise that of its settings. */
    MasterUrl master();
}
