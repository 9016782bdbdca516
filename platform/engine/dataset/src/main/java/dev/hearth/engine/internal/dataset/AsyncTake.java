package dev.hearth.engine.internal.dataset;

import dev.hearth.api.JobFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous {@code take}: runs one job, and further jobs over more partitions while elements are missing. The thread
 * that completes a job starts the next one, with the local properties of the thread that created this object. Guarded
 * by its own lock.
 */
final class AsyncTake<T> implements JobFuture<List<T>> {
    private final DatasetContext runner;
    private final Executor asCaller;
    private final Actions<T> actions;
    private final int count;
    private final List<T> found = new ArrayList<>(); // needs no lock: one job at a time completes
    private final CompletableFuture<List<T>> result = new CompletableFuture<>();
    private final List<Integer> jobs = new ArrayList<>();
    private @Nullable JobFuture<List<T>> current;

    AsyncTake(DatasetContext runner, Actions<T> actions, int count) {
        this.runner = runner;
        this.asCaller = runner.asCaller();
        this.actions = actions;
        this.count = count;
    }

    AsyncTake<T> start() {
        round(0);
        return this;
    }

    private void round(int scanned) {
        int missing = count - found.size();
        if (missing == 0 || scanned >= actions.partitions()) {
            result.complete(found);
            return;
        }
        Actions.TakeRound<T> round = actions.round(scanned, missing);
        JobFuture<List<T>> job = runner.start(round.action());
        synchronized (jobs) {
            jobs.addAll(job.jobs());
            current = job;
        }
        if (result.isDone()) { // the caller cancelled before `current` was set
            job.cancel(true);
            return;
        }
        job.stage().whenComplete((more, failure) -> {
            if (failure != null) {
                result.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            } else {
                asCaller.execute(() -> next(round.until(), more.subList(0, Math.min(missing, more.size()))));
            }
        });
    }

    private void next(int scanned, List<T> more) {
        found.addAll(more);
        try {
            round(scanned);
        } catch (RuntimeException refused) { // the context may be closed, for example
            result.completeExceptionally(refused);
        }
    }

    @Override
    public CompletionStage<List<T>> stage() {
        return result.minimalCompletionStage();
    }

    @Override
    public List<Integer> jobs() {
        synchronized (jobs) {
            return List.copyOf(jobs);
        }
    }

    @Override
    public boolean cancel(boolean interrupt) {
        boolean cancelled = result.cancel(false);
        JobFuture<List<T>> running = running();
        if (cancelled && running != null) {
            running.cancel(interrupt);
        }
        return cancelled;
    }

    @Override
    public void cancel(String reason) {
        JobFuture<List<T>> running = running();
        if (running != null) {
            running.cancel(reason);
        }
    }

    private @Nullable JobFuture<List<T>> running() {
        synchronized (jobs) {
            return current;
        }
    }

    @Override
    public boolean isCancelled() {
        return result.isCancelled();
    }

    @Override
    public boolean isDone() {
        return result.isDone();
    }

    @Override
    public List<T> get() throws InterruptedException, ExecutionException {
        return result.get();
    }

    @Override
    public List<T> get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        return result.get(timeout, unit);
    }
}
