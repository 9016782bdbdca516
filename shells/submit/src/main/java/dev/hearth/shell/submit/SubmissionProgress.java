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
 * status changes. bin/submit prints the lines of Spark's client for the REST protocol, bin/spark-submit those of Spark's
 * client for its own protocol.
 */
final class SubmissionProgress implements SubmissionListener {
    private final PrintStream out;
    private final PrintStream err;
    private final SubmitStyle style;
    private final boolean follows;
    private final CompletableFuture<SubmissionStatus> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private volatile boolean ownProgress; // read by the thread of the role
    private SubmissionState state = SubmissionState.SUBMITTED;
    private String placement = "";
    private String message = "";
    private volatile Optional<SubmissionId> accepted = Optional.empty(); // read by the thread of the role

    /**
     * Creates a listener that writes the driver's output to {@code out} and progress to {@code err}. If {@code
     * ownProgress} is set, the cluster manager reports all progress by lines of its own. {@code follows} says whether
     * changes of the state are printed as they arrive; otherwise the state is printed once, on request.
     */
    SubmissionProgress(PrintStream out, PrintStream err, SubmitStyle style, boolean follows, boolean ownProgress) {
        this.out = out;
        this.err = err;
        this.style = style;
        this.follows = follows;
        this.ownProgress = ownProgress;
    }

    /** Returns a future that completes once the driver runs or has ended, or the cluster is lost. */
    CompletableFuture<Void> begun() {
        return begun;
    }

    /** Whether the cluster manager reports all progress by lines of its own. */
    boolean isOwn() {
        return ownProgress;
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
        accepted(status.submission());
        if (!follows || status.state() == SubmissionState.SUBMITTED) {
            printState(status);
        }
        track(status, true);
    }

    @Override
    public void changed(SubmissionStatus status) {
        accepted(status.submission());
        track(status, follows);
    }

    private void track(SubmissionStatus status, boolean shown) {
        if (status.state() != state) {
            state = status.state();
            if (follows) {
                printState(status);
            }
        }
        if (shown
                && state == SubmissionState.RUNNING
                && !status.placement().isEmpty()
                && !status.placement().equals(placement)) {
            placement = status.placement();
            progress(placeLine(status));
        }
        boolean waits = state == SubmissionState.SUBMITTED || (shown && state == SubmissionState.RELAUNCHING);
        if (waits && !status.message().isEmpty() && !status.message().equals(message)) {
            message = status.message();
            progress("Driver " + status.submission() + " " + status.message());
        }
        if (state != SubmissionState.SUBMITTED) {
            begun.complete(null);
        }
        if (state.isFinal()) {
            ended.complete(status);
        }
    }

    @Override
    public void ownProgress() {
        ownProgress = true;
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

    private void printState(SubmissionStatus status) {
        String driver = "driver " + status.submission();
        switch (style) {
            case HEARTH -> progress("State of " + driver + " is now " + status.state() + ".");
            case SPARK -> {
                progress("State of " + status.submission() + " is " + status.state());
                if (status.state().isFinal()) {
                    progress("State of " + driver + " is " + status.state() + ", exiting spark-submit JVM.");
                }
            }
        }
    }

    private String placeLine(SubmissionStatus status) {
        Optional<DriverPlace> place = DriverPlace.of(status);
        return style == SubmitStyle.SPARK && place.isPresent()
                ? "Driver running on " + place.get().address() + " ("
                        + place.get().worker() + ")"
                : "Driver is running on " + status.placement() + ".";
    }

    /** Prints a line of the client about its own steps. */
    void step(String line) {
        progress(line);
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
        begun.complete(null);
        ended.completeExceptionally(ErrorCode.CLUSTER_LOST.failure("submission: " + reason));
    }
}
