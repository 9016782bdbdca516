package dev.hearth.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * A driver in cluster mode that this program follows by questions to its cluster. It needs no process and no connection in
 * between, so that a master may restart, and another program may follow the same submission. One thread of its own asks.
 */
final class SubmissionFollower extends FollowedLaunch {
    /** Time without an answer after which a submission counts as lost. */
    static final Duration SILENCE_MAX = Duration.ofMinutes(10);

    private static final System.Logger LOG = System.getLogger(SubmissionFollower.class.getName());

    private final FollowedCluster client;
    private final long pollNanos;
    private final long silenceNanos;
    private String id = ""; // of the owner, as the following
    private long answeredNanos;
    private boolean killWanted;
    private boolean abandoned;
    private OptionalInt exitStatus = OptionalInt.empty();

    private SubmissionFollower(
            String subject, FollowedCluster client, Duration poll, Duration silence, List<LaunchListener> listeners) {
        super(subject, listeners);
        this.client = client;
        this.pollNanos = poll.toNanos();
        this.silenceNanos = silence.toNanos();
    }

    /** Follows the submission {@code id}, which exists already. */
    static LaunchHandle attach(String id, FollowedCluster client, Duration poll, List<LaunchListener> listeners) {
        return follow("submission " + id, () -> id, client, poll, SILENCE_MAX, listeners);
    }

    /** Creates a submission and follows it. */
    static LaunchHandle start(
            FollowedCluster.Creation creation, FollowedCluster client, Duration poll, List<LaunchListener> listeners) {
        return follow("new submission", creation, client, poll, SILENCE_MAX, listeners);
    }

    static LaunchHandle follow(
            String subject,
            FollowedCluster.Creation creation,
            FollowedCluster client,
            Duration poll,
            Duration silence,
            List<LaunchListener> listeners) {
        SubmissionFollower follower = new SubmissionFollower(subject, client, poll, silence, listeners);
        LaunchServer.thread("hearth-submission", () -> follower.run(creation));
        return follower;
    }

    @Override
    public void stop() {
        post(() -> killWanted = true);
    }

    @Override
    public void kill() {
        stop();
    }

    @Override
    public void disconnect() {
        post(() -> abandoned = true);
    }

    private void run(FollowedCluster.Creation creation) {
        try {
            id = creation.create();
            move(LaunchState.CONNECTED);
            submitted(id);
            answeredNanos = System.nanoTime();
            ask();
            while (!abandoned && !state().isFinal()) {
                runNext(pollNanos);
                ask();
            }
        } catch (FollowedCluster.Refused refused) {
            end(id.isEmpty() ? LaunchState.FAILED : LaunchState.LOST, refused.code(), refused.getMessage());
        } catch (IOException unreachable) {
            end(LaunchState.FAILED, "CLUSTER_UNREACHABLE", String.valueOf(unreachable.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            move(LaunchState.LOST);
            complete(exitStatus);
        }
    }

    private void ask() throws IOException, InterruptedException {
        if (abandoned) {
            return;
        }
        try {
            if (killWanted) {
                client.kill(id);
                killWanted = false;
            }
            follow(client.status(id));
            answeredNanos = System.nanoTime();
        } catch (FollowedCluster.Refused refused) {
            throw refused;
        } catch (IOException unanswered) {
            LOG.log(System.Logger.Level.DEBUG, subject() + ": its cluster did not answer", unanswered);
            if (System.nanoTime() - answeredNanos > silenceNanos) {
                end(LaunchState.LOST, "CLUSTER_LOST", String.valueOf(unanswered.getMessage()));
            }
        }
    }

    private void follow(SubmissionAnswer answer) {
        linked(answer.links());
        answer.state().ifPresent(next -> {
            if (next.isFinal()) {
                exitStatus = answer.exitStatus();
                because("", next == LaunchState.FINISHED ? "" : answer.message());
            }
            move(next);
        });
    }

    private void end(LaunchState last, String code, String message) {
        because(code, message);
        move(last);
    }
}
