package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A step of an answer that runs on the threads of the disk, since it takes as long as a file is large. Meanwhile the other
 * side hears again and again that it goes on, up to a bound. Owned by the channel's event loop, where its outcome is told.
 */
final class DiskOperation<T> {
    private final BulkServerConnection connection;
    private final String subject;
    private final Outcome<T> outcome;
    private final long startedNanos;
    private @Nullable FutureTask<@Nullable Void> task;
    private boolean over; // told, or nobody waits for it any more

    private DiskOperation(BulkServerConnection connection, String subject, Outcome<T> outcome) {
        this.connection = connection;
        this.subject = subject;
        this.outcome = outcome;
        this.startedNanos = connection.services().ticker().nanos();
    }

    /** Begins it behind those that wait; fails with {@code PEER_LOST} when the lane is closed. */
    static <T> DiskOperation<T> start(
            BulkServerConnection connection, String subject, Work<T> work, Outcome<T> outcome) {
        DiskOperation<T> step = new DiskOperation<>(connection, subject, outcome);
        step.task = new FutureTask<>(() -> step.run(work), null);
        try {
            connection.services().disk().execute(step.task);
        } catch (RejectedExecutionException ended) {
            step.over = true;
            throw ErrorCode.PEER_LOST.failure(
                    subject + ": this process closes its connections (expected: an open one)", ended);
        }
        step.beatLater();
        return step;
    }

    /** Nobody waits for it any more: interrupts it, and what comes of it all the same is dropped. */
    void cancel() {
        over = true;
        FutureTask<?> running = task;
        if (running != null) {
            running.cancel(true);
        }
    }

    /** Nobody waits for it any more, and it is to be done all the same. */
    void leave() {
        over = true;
    }

    /** On a thread of the disk. */
    private void run(Work<T> work) {
        T result;
        try {
            result = work.run();
        } catch (IOException | RuntimeException failure) {
            connection.onLoop(() -> failed(failure), () -> {});
            return;
        }
        connection.onLoop(() -> done(result), () -> outcome.unwanted(result));
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

    private void beatLater() {
        connection.after(connection.services().times().workBeat(), this::beat);
    }

    private void beat() {
        if (over) {
            return;
        }
        Duration taken = Duration.ofNanos(connection.services().ticker().nanos() - startedNanos);
        if (taken.compareTo(BulkLimits.DISK_STEP_MAX) > 0) {
            failed(ErrorCode.DISK_FAILED.failure(subject + ": its disk has not answered for " + taken.toSeconds()
                    + " s (expected: " + BulkLimits.DISK_STEP_MAX.toSeconds() + " s at most); is it hung?"));
        } else {
            connection.working();
            beatLater();
        }
    }

    /** What is done on a thread of the disk. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Hears once what came of it, on the event loop. */
    interface Outcome<T> {
        void done(T result);

        void failed(Exception failure);

        /** It was done after all, and nobody waits for it. On any thread. */
        void unwanted(T result);
    }
}
