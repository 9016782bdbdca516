package dev.hearth.standalone.internal.rest;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.standalone.internal.rest.RestMasters.Turn;
import dev.hearth.standalone.internal.rest.RestTransport.Fate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Client of masters that speak Spark's REST protocol, for one command. Results are empty if no master does. Owned by the
 * submitter's event loop. The lines it says are those of Spark's client, byte for byte.
 */
public final class RestSubmitter {
    private static final String BASE = "/v1/submissions/";
    private static final String CREATED = "CreateSubmissionResponse";
    private static final String KILLED = "KillSubmissionResponse";
    private static final String STATUS = "SubmissionStatusResponse";
    /** Id of no driver, to find out whether a server speaks the protocol. */
    private static final String NO_DRIVER = "driver-0";

    private final MasterUrl url;
    private final RestMasters masters;
    private final EventLoop loop;

    public RestSubmitter(MasterUrl url, List<RpcAddress> addresses, HttpAccess access, EventLoop loop) {
        this(url, addresses, new HttpTransport(access), loop);
    }

    RestSubmitter(MasterUrl url, List<RpcAddress> addresses, RestTransport transport, EventLoop loop) {
        this.url = url;
        this.masters = new RestMasters(addresses, transport, loop);
        this.loop = loop;
    }

    /**
     * Submits {@code plan}. {@code wanted} says whether the user asked for this protocol. Afterwards, {@code listener}
     * receives the states of the driver until it has ended.
     */
    public CompletionStage<Optional<SubmissionId>> submit(
            SubmissionPlan plan, SubmissionListener listener, boolean wanted) {
        String request = CreateRequestWriter.of(plan, url);
        Announcement announcement = new Announcement(listener);
        if (wanted) {
            announcement.make();
        }
        return masters.inTurn(
                        master -> masters.send(master, BASE + "status/" + NO_DRIVER, Optional.empty())
                                .thenCompose(probe -> {
                                    if (probe.reply().fate() != Fate.ANSWERED) {
                                        return CompletableFuture.completedStage(probe);
                                    }
                                    announcement.make();
                                    return masters.send(master, BASE + "create", Optional.of(request))
                                            .thenApply(this::settled);
                                }),
                        turn -> turn.succeeded(CREATED))
                .thenCompose(turn -> created(turn, listener));
    }

    /** Returns {@code turn} of a request that was sent to a server of the protocol; fails if its answer was lost. */
    private Turn settled(Turn turn) {
        return switch (turn.reply().fate()) {
            case ANSWERED, UNREACHABLE, UNAUTHORIZED -> turn;
            case LOST, FOREIGN ->
                throw ErrorCode.CLUSTER_LOST.failure("submission: master " + turn.master() + ": " + turn.reason()
                        + " after the request was sent; the outcome is unknown (expected: an answer); look for the driver"
                        + " on the page of the master before you submit again");
        };
    }

    private CompletionStage<Optional<SubmissionId>> created(Turn turn, SubmissionListener listener) {
        if (turn.succeeded(CREATED)) {
            RestAnswer answer = turn.reply().answer().orElseThrow();
            SubmissionId id = new SubmissionId(answer.text("submissionId"));
            listener.said("Submission successfully created as " + id + ". Polling submission state...");
            listener.ownProgress();
            listener.changed(new SubmissionStatus(id, SubmissionState.SUBMITTED, "", "", OptionalInt.empty(), "", ""));
            return new RestWatch(id, listener, loop, () -> ask(turn.master(), id))
                    .begin()
                    .thenApply(known -> {
                        listener.said("Server responded with " + CREATED + ":");
                        answer.body().lines().forEach(listener::said);
                        return Optional.of(id);
                    });
        }
        return turn.reply().fate() == Fate.ANSWERED
                ? CompletableFuture.failedStage(
                        ErrorCode.SUBMISSION_REFUSED.failure("submission: master " + turn.master() + ": "
                                + turn.reason() + " (expected: an active master that accepts the request)"))
                : CompletableFuture.completedStage(Optional.empty());
    }

    private CompletionStage<Turn> ask(RpcAddress master, SubmissionId id) {
        return masters.send(master, BASE + "status/" + id, Optional.empty());
    }

    /** Status of a submission. Fails with {@code SUBMISSION_UNKNOWN} if masters answer and none knows it. */
    public CompletionStage<Optional<SubmissionStatus>> status(SubmissionId id) {
        return masters.inTurn(master -> ask(master, id), turn -> turn.succeeded(STATUS))
                .thenApply(turn -> {
                    if (turn.succeeded(STATUS)) {
                        return Optional.of(turn.reply().answer().orElseThrow().status(id));
                    }
                    if (turn.reply().fate() != Fate.ANSWERED) {
                        return Optional.empty();
                    }
                    throw unknown(id, turn);
                });
    }

    /** Kills a driver; completes with its status before. */
    public CompletionStage<Optional<SubmissionStatus>> kill(SubmissionId id) {
        return status(id).thenCompose(before -> {
            if (before.isEmpty() || before.get().state().isFinal()) {
                return CompletableFuture.completedStage(before);
            }
            return masters.inTurn(
                            master -> masters.send(master, BASE + "kill/" + id, Optional.of("")),
                            turn -> turn.succeeded(KILLED))
                    .thenApply(turn -> {
                        if (!turn.succeeded(KILLED)) {
                            throw ErrorCode.COMMAND_FAILED.failure("submission " + id + ": master " + turn.master()
                                    + ": "
                                    + turn.reason() + " (expected: the end of the driver); ask for its state with"
                                    + " --status");
                        }
                        return before;
                    });
        });
    }

    private HearthException unknown(SubmissionId id, Turn turn) {
        String reason = turn.reason().isEmpty() ? "not known" : turn.reason();
        return ErrorCode.SUBMISSION_UNKNOWN.failure("submission " + id + ": " + reason + " on master " + url
                + " (expected: a submission that it accepted)");
    }

    /** First lines of a submission, said once. */
    private final class Announcement {
        private final SubmissionListener listener;
        private boolean made;

        Announcement(SubmissionListener listener) {
            this.listener = listener;
        }

        void make() {
            if (!made) {
                made = true;
                listener.said("Running Spark using the REST application submission protocol.");
                listener.said("Submitting a request to launch an application in " + url.text() + ".");
            }
        }
    }
}
