package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Slow disk operation of a response, run on a disk thread. Meanwhile WORKING frames, up to a time limit, show the
 * requester that the response is in progress. Owned by the channel's event loop, where the outcome is reported.
 */
final class DiskOperation<T> {
    private final BulkServerConnection connection;
    private final String subject;
    private final Outcome<T> outcome;
    private final long startedNanos;
    private @Nullable FutureTask<@Nullable Void> task;
    private boolean over; // whether the outcome was reported or the operation was cancelled

    private DiskOperation(BulkServerConnection connection, String subject, Outcome<T> outcome) {
        this.connection = connection;
        this.subject = subject;
        this.outcome = outcome;
        this.startedNanos = connection.services().ticker().nanos();
    }

    /**
     * Queues {@code work} for the disk threads, and returns the operation. Throws {@code PEER_LOST} if these threads
     * are shut down.
     */
    static <T> DiskOperation<T> start(
            BulkServerConnection connection, String subject, Work<T> work, Outcome<T> outcome) {
        DiskOperation<T> step = new DiskOperation<>(connection, subject, outcome);
        step.task = new FutureTask<>(() -> step.run(work), null);
        try {
            connection.services().disk().execute(step.task);
        } catch (RejectedExecutionException ended) {
            step.over = true;
            throw ErrorCode.PEER_LOST.failure(
                    subject + ": this process closes its connections (expected: an open connection)", ended);
        }
        step.scheduleWorking();
        return step;
    }

    /**
     * Interrupts the operation, because its result is not needed any more. If it completes nevertheless,
     * {@link Outcome#unwanted} receives the result, to release its resources.
     */
    void cancel() {
        over = true;
        FutureTask<?> running = task;
        if (running != null) {
            running.cancel(true);
        }
    }

    /**
     * Lets the operation continue, although its result is not needed any more. {@link Outcome#unwanted} then receives
     * the result, to release its resources.
     */
    void detach() {
        over = true;
    }

    /** Runs the operation. Called on a disk thread. */
    private void run(Work<T> work) {
        T result;
        try {
            result = work.run();
        } catch (IOException | RuntimeException failure) {
            connection.runOnLoop(() -> failed(failure), () -> {});
            return;
        }
        connection.runOnLoop(() -> done(result), () -> outcome.unwanted(result));
    }

    private void done(T result) {
        if (over) {
            outcome.unwanted(result);
        } else {
            over = true;
            outcome.done(result);
        }
    }

    private void failed(Exception failure) {
        if (!over) {
            over = true;
            outcome.failed(failure);
        }
    }

    private void scheduleWorking() {
        connection.after(connection.services().times().workBeat(), this::reportWorking);
    }

    private void reportWorking() {
        if (over) {
            return;
        }
        Duration taken = Duration.ofNanos(connection.services().ticker().nanos() - startedNanos);
        if (taken.compareTo(BulkLimits.DISK_STEP_MAX) > 0) {
            failed(ErrorCode.DISK_FAILED.failure(subject + ": the disk operation has not ended for " + taken.toSeconds()
                    + " s (expected: " + BulkLimits.DISK_STEP_MAX.toSeconds() + " s at most); does the disk hang?"));
        } else {
            connection.working();
            scheduleWorking();
        }
    }

    /** Blocking work for a disk thread. */
    interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Callback for the outcome of the operation. Either {@link #done} or {@link #failed} is called, once, on the event
     * loop. Neither is called after {@link DiskOperation#cancel} or {@link DiskOperation#detach}.
     */
    interface Outcome<T> {
        void done(T result);

        void failed(Exception failure);

        /**
         * Releases the resources of {@code result}, for example an open file. It is not used because the caller had
         * given up the operation, or because the operation was too slow. Called on any thread.
         */
        void unwanted(T result);
    }
}
