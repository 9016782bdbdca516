package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.dag.DagEffect;
import dev.hearth.engine.internal.dataset.ResultCollector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Jobs that have not ended, with the collector of the results of each, and the future that completes when the job ends.
 * Owned by {@link SchedulerShell}.
 */
final class WaitingJobs {
    private final Map<Integer, Waiter> jobs = new LinkedHashMap<>();

    private record Waiter(ResultCollector<?> results, CompletableFuture<Void> done) {}

    void add(int job, ResultCollector<?> results, CompletableFuture<Void> done) {
        jobs.put(job, new Waiter(results, done));
    }

    /** Passes the result of a task on; does nothing if its job has ended. */
    void result(DagEffect.Result effect) {
        Waiter waiter = jobs.get(effect.job());
        if (waiter != null) {
            waiter.results.accept(effect.index(), effect.end().value());
        }
    }

    /** Removes a job, and returns the future to complete; empty if the job has ended before. */
    Optional<CompletableFuture<Void>> remove(int job) {
        return Optional.ofNullable(jobs.remove(job)).map(Waiter::done);
    }

    void failAll(HearthException why) {
        List<Waiter> all = List.copyOf(jobs.values());
        jobs.clear();
        all.forEach(waiter -> waiter.done.completeExceptionally(why));
    }
}
