package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.id.SubmissionId;
import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;

/**
 * Prints the progress of a submission. Owned by the event loop of the submission.
 * <p>The lines equal those of Spark, byte for byte, because other software parses them. A line is written only when the
 * status changes.
 */
final class SubmissionProgress implements SubmissionListener {
    private final PrintStream err;
    private final CompletableFuture<SubmissionStatus> ended = new CompletableFuture<>();
    private SubmissionState state = SubmissionState.SUBMITTED;
    private String placement = "";
    private boolean accepted;

    SubmissionProgress(PrintStream err) {
        this.err = err;
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
        if (!accepted) {
            accepted = true;
            print("Driver successfully submitted as " + id);
        }
    }

    @Override
    public void changed(SubmissionStatus status) {
        accepted(status.submission());
        if (status.state() != state) {
            state = status.state();
            print("State of driver " + status.submission() + " is now " + state + ".");
        }
        if (state == SubmissionState.RUNNING
                && !status.placement().isEmpty()
                && !status.placement().equals(placement)) {
            placement = status.placement();
            print("Driver is running on " + placement + ".");
        }
        if (state == SubmissionState.SUBMITTED && !status.message().isEmpty()) {
            print("Driver " + status.submission() + " " + status.message());
        }
        if (state.isFinal()) {
            ended.complete(status);
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
