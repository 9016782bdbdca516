package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import dev.hearth.engine.internal.plan.LaunchBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates task attempts. Collects the attempts that one round launches for one task set on one executor in a
 * {@link LaunchBatch}. Owned by {@link TaskScheduler}.
 */
final class TaskLauncher {
    private final SchedulerEffects effects;
    private final ExecutorSet executors;
    private final AttemptTable attempts;
    private final DefinedPlans plans;
    private long nextTask;
    private final List<Executor> batched = new ArrayList<>(); // executors with a launch batch in this call of `settle`
    private long nowNanos;
    private long nowMillis;

    TaskLauncher(SchedulerEffects effects, ExecutorSet executors, AttemptTable attempts, DefinedPlans plans) {
        this.effects = effects;
        this.executors = executors;
        this.attempts = attempts;
        this.plans = plans;
    }

    /**
     * Begins a new round of launches at the given time. Attempts that this round launches go to new {@link LaunchBatch}
     * objects, not to those of the previous round.
     */
    void begin(long nowNanos, long nowMillis) {
        for (Executor executor : batched) { // otherwise executor objects would keep finished plans in memory
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
        LaunchBatch batch = batch(set, executor);
        if (attempt.lease == null) {
            batch.add(attempt.task, set.partition(index), attempt.number);
        } else {
            batch.add(attempt.task, set.partition(index), attempt.number, attempt.lease.resources());
        }
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
