package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.engine.internal.dataset.Action;
import dev.hearth.engine.internal.dataset.ResultCollector;
import dev.hearth.engine.internal.driver.loop.JobCanceller;
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
 * A submitted job. A blocking action waits for it on the caller's thread, and an asynchronous one completes on threads
 * of the application. The job refers to its action, so that the datasets which it reads are not cleaned up before it
 * has ended.
 */
public final class StartedJob<R> implements JobFuture<R> {
    private final int id;
    private final JobCanceller cancellations;
    private final Action<R> action;
    private final ResultCollector<R> results;
    private final CompletableFuture<Void> done;
    private @Nullable CompletableFuture<R> answer; // guarded by this; present for an asynchronous action

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
     * Makes this job asynchronous: its future completes on {@code threads} once the job has ended, never on the
     * driver's event loop. After a success, {@code afterwards} runs first; if {@code afterwards} throws, the future
     * fails.
     */
    StartedJob<R> async(Executor threads, Runnable afterwards) {
        synchronized (this) {
            answer = done.handleAsync((nothing, failure) -> answer(failure, afterwards), threads);
        }
        return this;
    }

    /**
     * Waits for the job and computes its result on the calling thread. If the waiting thread is interrupted, cancels
     * the job and fails.
     */
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
            throw BlockingCalls.rethrown(failure);
        }
        return answer();
    }

    private R answer(@Nullable Throwable failure, Runnable afterwards) {
        if (failure != null) {
            throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
        }
        R result = answer();
        afterwards.run();
        return result;
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
        return future().minimalCompletionStage();
    }

    @Override
    public List<Integer> jobs() {
        return List.of(id);
    }

    @Override
    public boolean cancel(boolean interrupt) {
        if (future().isDone()
                || !future().cancel(false)) { // done first, because cancelling the job would fail the future
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
        return future().isCancelled();
    }

    @Override
    public boolean isDone() {
        return future().isDone();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        try {
            return future().get();
        } catch (ExecutionException failure) {
            throw new ExecutionException(Failures.unwrap(failure));
        }
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return future().get(timeout, unit);
        } catch (ExecutionException failure) {
            throw new ExecutionException(Failures.unwrap(failure));
        }
    }

    private CompletableFuture<R> future() {
        synchronized (this) {
            if (answer == null) {
                throw new CancellationException("job " + id + ": is awaited by a blocking action and has no future");
            }
            return answer;
        }
    }
}
