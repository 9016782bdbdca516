package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import dev.hearth.engine.internal.plan.LaunchBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates attempts. Collects the attempts of one task set for one executor in one launch message. Owned by
 * {@link TaskScheduler}.
 */
final class TaskLauncher {
    private final SchedulerEffects effects;
    private final ExecutorSet executors;
    private final AttemptTable attempts;
    private final DefinedPlans plans;
    private long nextTask;
    private final List<Executor> batched = new ArrayList<>(); // executors with a batch of the current settle call
    private long nowNanos;
    private long nowMillis;

    TaskLauncher(SchedulerEffects effects, ExecutorSet executors, AttemptTable attempts, DefinedPlans plans) {
        this.effects = effects;
        this.executors = executors;
        this.attempts = attempts;
        this.plans = plans;
    }

    /** Starts a round of launches with new batches. */
    void begin(long nowNanos, long nowMillis) {
        for (Executor executor : batched) { // otherwise executors would keep plans of finished sets in memory
            executor.batch = null;
            executor.batchSet = null;
        }
        batched.clear();
        this.nowNanos = nowNanos;
        this.nowMillis = nowMillis;
    }

    Attempt launch(TaskSet set, int index, Executor executor, Locality locality, boolean speculative) {
        Attempt attempt =
                new Attempt(nextTask++, set, executor, index, set.start(index), locality, speculative, nowMillis);
        attempts.add(attempt);
        set.addRunning(attempt);
        executors.launched(executor, attempt, nowNanos);
        batch(set, executor).add(attempt.task, set.partition(index), attempt.number);
        return attempt;
    }

    private LaunchBatch batch(TaskSet set, Executor executor) {
        LaunchBatch batch = executor.batch;
        if (batch == null || executor.batchSet != set) {
            plans.define(set.spec().plan(), set.planUse(), executor);
            batch = new LaunchBatch(
                    set.spec().plan(), set.id().stage(), set.id().attempt());
            executor.batch = batch;
            executor.batchSet = set;
            batched.add(executor);
            effects.add(new SchedulerEffect.Launch(executor.id(), batch));
        }
        return batch;
    }
}
