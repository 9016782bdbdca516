package dev.hearth.submission.internal;

import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a driver with a seat: NEW, BEGINNING, then SEATED and ENDED, or UNSEATED. The end is reported once, and only
 * from SEATED. The main thread calls; any thread may complete the future that stops the run.
 */
final class SeatedRun {
    private static final Logger LOG = LoggerFactory.getLogger(SeatedRun.class);

    /** States of the run; the last two are final. */
    enum State {
        NEW,
        BEGINNING,
        SEATED,
        ENDED,
        /** The seat failed to begin, or the driver was asked to end meanwhile. */
        UNSEATED;

        boolean leadsTo(State next) {
            return switch (this) {
                case NEW -> next == BEGINNING;
                case BEGINNING -> next == SEATED || next == UNSEATED;
                case SEATED -> next == ENDED;
                case ENDED, UNSEATED -> false;
            };
        }
    }

    private final DriverSeat seat;
    private final CompletableFuture<Void> stopped;
    private State state = State.NEW;

    /** {@code stopped} completes when the driver is asked to end. */
    SeatedRun(DriverSeat seat, CompletableFuture<Void> stopped) {
        this.seat = seat;
        this.stopped = stopped;
    }

    State state() {
        return state;
    }

    /**
     * Lets the seat begin. Returns false if the driver was asked to end meanwhile; fails with {@code START_FAILED} if
     * the seat fails. The seat is called on a thread of its own, because it may block and ignore interrupts.
     */
    boolean begin(SubmissionPlan plan) throws InterruptedException {
        move(State.BEGINNING);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        seat.begin(plan);
                        begun.complete(null);
                    } catch (Throwable failure) { // an Error too, because the seat is foreign code
                        begun.completeExceptionally(failure);
                    }
                },
                "hearth-seat");
        thread.setDaemon(true);
        thread.start();
        try {
            CompletableFuture.anyOf(begun, stopped).get();
            boolean isSeated = begun.isDone();
            move(isSeated ? State.SEATED : State.UNSEATED);
            return isSeated;
        } catch (ExecutionException failed) {
            move(State.UNSEATED);
            Throwable cause = Failures.unwrap(failed);
            throw ErrorCode.START_FAILED.failure(
                    "seat of the driver: cannot begin " + plan.name() + ": "
                            + Failures.expecting(Failures.describe(cause), "the cluster manager accepts the driver"),
                    cause);
        } finally {
            thread.interrupt(); // without effect on a seat that has begun
        }
    }

    /** Reports the end of the run to the seat. A failure of the seat is logged. */
    void end(ExitStatus status, String words) {
        move(State.ENDED);
        try {
            seat.ended(status, words);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.error("seat of the driver: interrupted before the end with status {} was reported", status.status(), e);
        } catch (Throwable failure) { // an Error too, for the reason given in `begin`
            LOG.error("seat of the driver: the end with status {} is not reported", status.status(), failure);
        }
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("driver in state " + state + " (expected: one that leads to " + next + ")");
        }
        state = next;
    }
}
