package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.Locality;
import dev.hearth.engine.internal.plan.LaunchBatch;
import java.util.ArrayList;
import java.util.List;

/** Makes attempts and gathers those of one set for one executor in one batch. Owned by {@link TaskScheduler}. */
final class TaskLauncher {
    private final SchedulerEffects effects;
    private final ExecutorSet executors;
    private final AttemptTable attempts;
    private final DefinedPlans plans;
    private long tasksMade;
    private final List<Executor> batched = new ArrayList<>(); // those with a batch of this settling
    private long nowNanos;
    private long nowMillis;

    TaskLauncher(SchedulerEffects effects, ExecutorSet executors, AttemptTable attempts, DefinedPlans plans) {
        this.effects = effects;
        this.executors = executors;
        this.attempts = attempts;
        this.plans = plans;
    }

    /** Batches that were begun before are left as they are. */
    void begin(long nowNanos, long nowMillis) {
        for (Executor executor : batched) { // or else their last sets would stay, with what these read
            executor.batch = null;
            executor.batchSet = null;
        }
        batched.clear();
        this.nowNanos = nowNanos;
        this.nowMillis = nowMillis;
    }

    Attempt launch(TaskSet set, int index, Executor executor, Locality locality, boolean speculative) {
        Attempt attempt =
                new Attempt(tasksMade++, set, executor, index, set.start(index), locality, speculative, nowMillis);
        attempts.add(attempt);
        set.addRunning(attempt);
        executors.launched(executor, attempt, nowNanos);
        batch(set, executor).add(attempt.task, set.partition(index), attempt.number);
        if (effects.tellsTasks()) {
            effects.add(new SchedulerEffect.PublishEvent(new ApplicationEvent.TaskStarted(nowMillis, attempt.info())));
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
