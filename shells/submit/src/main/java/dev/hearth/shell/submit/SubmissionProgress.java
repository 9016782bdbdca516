package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.id.SubmissionId;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Prints the progress of a submission. Owned by the event loop of the submission.
 * <p>The lines equal those of Spark, byte for byte, because other software parses them. A line is written only when the
 * status changes.
 */
final class SubmissionProgress implements SubmissionListener {
    private final PrintStream out;
    private final PrintStream err;
    private final boolean ownProgress;
    private final CompletableFuture<SubmissionStatus> ended = new CompletableFuture<>();
    private SubmissionState state = SubmissionState.SUBMITTED;
    private String placement = "";
    private String message = "";
    private volatile Optional<SubmissionId> accepted = Optional.empty(); // read by the thread of the role

    /**
     * Creates a listener that writes the driver's output to {@code out} and progress to {@code err}. If {@code
     * ownProgress} is set, the cluster manager reports all progress by lines of its own.
     */
    SubmissionProgress(PrintStream out, PrintStream err, boolean ownProgress) {
        this.out = out;
        this.err = err;
        this.ownProgress = ownProgress;
    }

    /**
     * Returns a future that completes with the last status of the submission, once the driver has ended. It fails if
     * the cluster is lost.
     */
    CompletableFuture<SubmissionStatus> ended() {
        return ended;
    }

    /**
     * Records that the cluster has accepted the submission, and prints this once, even if a change of state has arrived
     * before.
     */
    void accepted(SubmissionId id) {
        if (accepted.isEmpty()) {
            accepted = Optional.of(id);
            progress("Driver successfully submitted as " + id);
        }
    }

    /** Id of the submission, once the cluster has accepted it. */
    Optional<SubmissionId> submission() {
        return accepted;
    }

    /** Prints the state of a submission whose end is not awaited, even if it is the first one. */
    void tell(SubmissionStatus status) {
        if (status.state() == SubmissionState.SUBMITTED) {
            accepted(status.submission());
            progress(state(status));
        }
        changed(status);
    }

    @Override
    public void changed(SubmissionStatus status) {
        accepted(status.submission());
        if (status.state() != state) {
            state = status.state();
            progress(state(status));
        }
        if (state == SubmissionState.RUNNING
                && !status.placement().isEmpty()
                && !status.placement().equals(placement)) {
            placement = status.placement();
            progress("Driver is running on " + placement + ".");
        }
        if (state == SubmissionState.SUBMITTED
                && !status.message().isEmpty()
                && !status.message().equals(message)) {
            message = status.message();
            progress("Driver " + status.submission() + " " + status.message());
        }
        if (state.isFinal()) {
            ended.complete(status);
        }
    }

    @Override
    public void said(String line) {
        print(line);
    }

    @Override
    public void wrote(String output) {
        out.print(output);
        out.flush();
    }

    private static String state(SubmissionStatus status) {
        return "State of driver " + status.submission() + " is now " + status.state() + ".";
    }

    private void progress(String line) {
        if (!ownProgress) {
            print(line);
        }
    }

    /** Prints one line for the user. Replaces control characters, because parts of the line come from the cluster. */
    private void print(String line) {
        err.println(PrintableText.line(line));
    }

    @Override
    public void lost(String reason) {
        ended.completeExceptionally(ErrorCode.CLUSTER_LOST.failure("submission: " + reason));
    }
}
