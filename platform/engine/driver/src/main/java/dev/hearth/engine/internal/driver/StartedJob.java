package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.engine.internal.dataset.Action;
import dev.hearth.engine.internal.dataset.ResultCollector;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A job under way, as its caller sees it: waited for on the caller's thread, or followed on threads of the application. The
 * answer is made once, by whichever of these comes. Holds the action, and so what the job reads, until the job has ended.
 */
final class StartedJob<R> implements JobFuture<R> {
    private final int id;
    private final JobCanceller cancellations;
    private final Action<R> action;
    private final ResultCollector<R> results;
    private final CompletableFuture<Void> done;
    private @Nullable CompletableFuture<R> answer; // guarded by this; there once somebody follows

    StartedJob(
            int id,
            JobCanceller cancellations,
            Action<R> action,
            ResultCollector<R> results,
            CompletableFuture<Void> done) {
        this.id = id;
        this.cancellations = cancellations;
        this.action = action;
        this.results = results;
        this.done = done;
    }

    /**
     * Makes the answer, or tells the failure, on {@code threads} when the job has ended: never on the driver's loop. Does what is to
     * be done after a job that succeeded before its answer is there, and tells the failure of that instead.
     */
    StartedJob<R> following(Executor threads, Runnable afterwards) {
        synchronized (this) {
            answer = done.handleAsync((nothing, failure) -> answer(failure, afterwards), threads);
        }
        return this;
    }

    /** Waits on the calling thread, and makes the answer there. An interrupt of the thread ends the job. */
    R await() {
        try {
            done.get();
        } catch (InterruptedException interrupted) {
            HearthException why = ErrorCode.APPLICATION_KILLED.failure(
                    "job " + id + ": the thread that waited for it was interrupted", interrupted);
            cancellations.job(id, String.valueOf(why.getMessage()), true);
            Thread.currentThread().interrupt();
            throw why;
        } catch (ExecutionException failure) {
            throw BlockingCalls.seenFromHere(failure);
        }
        return answer();
    }

    private R answer(@Nullable Throwable failure, Runnable afterwards) {
        if (failure != null) {
            throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
        }
        R made = answer();
        afterwards.run();
        return made;
    }

    private R answer() {
        try {
            return results.answer();
        } finally {
            Reference.reachabilityFence(action);
        }
    }

    @Override
    public CompletionStage<R> stage() {
        return followed().minimalCompletionStage();
    }

    @Override
    public List<Integer> jobs() {
        return List.of(id);
    }

    @Override
    public boolean cancel(boolean interrupt) {
        if (followed().isDone() || !followed().cancel(false)) { // first, or the job's end may be told as a failure
            return false;
        }
        cancellations.job(id, "its future was cancelled", interrupt);
        return true;
    }

    @Override
    public void cancel(String reason) {
        cancellations.job(id, reason);
    }

    @Override
    public boolean isCancelled() {
        return followed().isCancelled();
    }

    @Override
    public boolean isDone() {
        return followed().isDone();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        try {
            return followed().get();
        } catch (ExecutionException failure) {
            throw new ExecutionException(Failures.unwrap(failure));
        }
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return followed().get(timeout, unit);
        } catch (ExecutionException failure) {
            throw new ExecutionException(Failures.unwrap(failure));
        }
    }

    private CompletableFuture<R> followed() {
        synchronized (this) {
            if (answer == null) {
                throw new CancellationException("job " + id + ": is waited for, not followed");
            }
            return answer;
        }
    }
}
