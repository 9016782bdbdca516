package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.stream.ContentId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Client of one cluster for many requests about submissions. A manager creates one by {@link ClusterManager#client}. A
 * process that is a master registers one as a service, which acts on its own state and says so by {@link #own}.
 * <p>Any thread may call; calls must not block. Results complete on any thread.
 */
@ConsumerType
public interface ClusterClient extends AutoCloseable {
    /** State of a cluster that accepts submissions. */
    String ALIVE = "ALIVE";

    /** State of a master that does not lead its cluster. */
    String STANDBY = "STANDBY";

    /** URL of the cluster whose master is this process, if this client is that master's own; otherwise empty. */
    default Optional<MasterUrl> own() {
        return Optional.empty();
    }

    /** State of the master of this client, in the words of Spark; {@link #ALIVE} if it accepts submissions. */
    default String state() {
        return ALIVE;
    }

    /**
     * Submits the application {@code plan} in cluster mode. The result completes when the cluster has accepted the
     * driver, so that it runs although this process ends. Fails with {@code SUBMISSION_REFUSED} if the cluster refuses it.
     */
    CompletionStage<SubmissionId> submit(SubmissionPlan plan);

    /** Current statuses of the submissions that match {@code pattern}; empty or failed if none does. */
    CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern);

    /** Kills the submissions that match {@code pattern}; completes with their statuses before the kill. */
    CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern);

    /** Forgets the submissions that have ended; completes with their number. */
    CompletionStage<Integer> clear();

    /**
     * Part of the file {@code content} that the cluster holds for submissions; {@code HELD} if all of it. Fails with {@code
     * STREAM_MISSING} if the cluster takes no files in pieces, as it does unless overridden.
     */
    default CompletionStage<UploadStatus> held(ContentId content) {
        return CompletableFuture.failedStage(takesNoPieces());
    }

    /**
     * Adds {@code piece} to what the cluster holds of its file, if it is the next one. The cluster verifies the hash of the
     * file with its last piece, and fails with {@code STREAM_DAMAGED} if it is another one. Fails with {@code STORE_FULL}
     * if there is no room. A repetition does no harm.
     */
    default CompletionStage<UploadStatus> take(ContentPiece piece) {
        return CompletableFuture.failedStage(takesNoPieces());
    }

    /** Closes the connection to the cluster, if there is one. Requests in progress may fail. Idempotent. */
    @Override
    void close();

    /** Client that calls {@code manager} for each request. Its calls run on the event loop of {@code services}. */
    static ClusterClient of(ClusterManager manager, MasterUrl master, SubmissionServices services) {
        return new ManagerCalls(manager, master, services);
    }

    private static HearthException takesNoPieces() {
        return ErrorCode.STREAM_MISSING.failure(
                "cluster: takes no files in pieces (expected: one whose manager can); submit without files of this machine");
    }
}
