package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.standalone.internal.rest.RestMasters.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Follows a driver by asking its master once a second, and says its states in the lines of Spark's client. Owned by the
 * submitter's event loop; ends when the driver has ended, when too many questions in a row find no answer, or when the loop
 * is closed.
 */
final class RestWatch {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Questions in a row without an answer about the driver, after which its state counts as unknown. */
    private static final int FAILURES_MAX = 10;

    private final SubmissionId submission;
    private final SubmissionListener listener;
    private final EventLoop loop;
    private final Supplier<CompletionStage<Turn>> question;
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private Optional<SubmissionState> state = Optional.empty();
    private String placement = "";
    private int failures;

    RestWatch(
            SubmissionId submission,
            SubmissionListener listener,
            EventLoop loop,
            Supplier<CompletionStage<Turn>> question) {
        this.submission = submission;
        this.listener = listener;
        this.loop = loop;
        this.question = question;
    }

    /** Starts; completes once the first state is known, or no state could be found. */
    CompletionStage<Void> begin() {
        ask();
        return begun;
    }

    private void ask() {
        question.get().thenAccept(turn -> loop.inOrder(() -> answered(turn)));
    }

    private void answered(Turn turn) {
        Optional<SubmissionStatus> status =
                turn.reply().answer().filter(RestAnswer::succeeded).map(answer -> answer.status(submission));
        if (status.isPresent()) {
            failures = 0;
            report(status.get());
            if (status.get().state().isFinal()) {
                return;
            }
        } else if (++failures >= FAILURES_MAX) {
            giveUp(turn);
            return;
        }
        loop.schedule(INTERVAL, this::ask);
    }

    private void report(SubmissionStatus status) {
        boolean moved = !status.placement().isEmpty() && !status.placement().equals(placement);
        if (state.equals(Optional.of(status.state())) && !moved) {
            return;
        }
        if (!state.equals(Optional.of(status.state()))) {
            listener.said("State of driver " + submission + " is now " + status.state() + ".");
        }
        if (moved) {
            placement = status.placement();
            listener.said("Driver is running on " + placement + ".");
        }
        status.message().lines().forEach(listener::said);
        state = Optional.of(status.state());
        begun.complete(null);
        listener.changed(status);
    }

    private void giveUp(Turn turn) {
        if (state.isEmpty()) {
            listener.said("Error: Master did not recognize driver " + submission + ".");
            begun.complete(null);
        }
        listener.lost("master " + turn.master() + ": " + FAILURES_MAX + " questions about " + submission
                + " without an answer: " + turn.reason() + "; ask for its state with submit --status");
    }
}
