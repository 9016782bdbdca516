package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.spi.id.ExecutorId;
import java.util.Set;

/**
 * A decision of {@link TaskScheduler} as data, for example to launch tasks or to publish an event. The
 * {@code SchedulerShell}, which owns the scheduler, performs the effects in order. A handler must handle each kind.
 */
public sealed interface SchedulerEffect {
    void perform(Handler handler);

    /**
     * Sends a stage plan to an executor. Requested once per executor and plan, before the first launch on that executor
     * that refers to the plan.
     */
    record Define(ExecutorId executor, StagePlan plan) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDefine(this);
        }
    }

    record Launch(ExecutorId executor, LaunchBatch batch) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLaunch(this);
        }
    }

    /**
     * Publishes the number of attempts of a task set that have begun since the last such effect. This sum replaces
     * single start events if no listener subscribes to them. It precedes the ends of these attempts.
     */
    record Started(TaskSetId set, int tasks) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStarted(this);
        }
    }

    record Kill(ExecutorId executor, long task, KillKind kind, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onKill(this);
        }
    }

    /** Orders an executor to drop a stage plan, because no further launch on the executor refers to the plan. */
    record Forget(ExecutorId executor, StagePlan plan) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onForget(this);
        }
    }

    /** The first success of a partition. Later successes of the same partition are reported as {@link Ended}. */
    record Succeeded(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSucceeded(this);
        }
    }

    /**
     * End of an attempt without effect on results: it failed, was killed, lost or recalled, or succeeded too late. A
     * retry is a separate effect.
     */
    record Ended(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onEnded(this);
        }
    }

    /**
     * A task could not fetch its shuffle input. The task set launches no further tasks; its other running tasks
     * continue.
     */
    record FetchFailed(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFetchFailed(this);
        }
    }

    /**
     * A task set failed: too many task failures, all executors excluded, or results too large. The scheduler kills the
     * running tasks of the set.
     */
    record SetFailed(TaskSetId set, HearthException failure) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSetFailed(this);
        }
    }

    /**
     * A task of a barrier task set ended without success. The task set is over, and all its tasks must run again in a
     * new stage attempt.
     */
    record BarrierBroken(TaskSetId set, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onBarrierBroken(this);
        }
    }

    /** No attempt of a task set runs any more, and none will be launched. This is the last effect of a task set. */
    record Drained(TaskSetId set) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDrained(this);
        }
    }

    /**
     * Asks the cluster manager to start no executors on {@code hosts}, the hosts that are excluded at present. Replaces
     * the previous set of hosts.
     */
    record ExcludeHosts(Set<String> hosts) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onExcludeHosts(this);
        }
    }

    /**
     * Gives an executor that is excluded from the application back to the cluster manager, so that it can start another
     * one.
     */
    record ReleaseExecutor(ExecutorId executor, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onReleaseExecutor(this);
        }
    }

    /** Publishes an event to listeners, about exclusion, speculation or the start of a task. */
    record PublishEvent(ApplicationEvent event) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onPublishEvent(this);
        }
    }

    interface Handler { // no default methods, so that the compiler reports a handler that misses a kind of effect
        void onDefine(Define effect);

        void onLaunch(Launch effect);

        void onStarted(Started effect);

        void onKill(Kill effect);

        void onForget(Forget effect);

        void onSucceeded(Succeeded effect);

        void onEnded(Ended effect);

        void onFetchFailed(FetchFailed effect);

        void onSetFailed(SetFailed effect);

        void onBarrierBroken(BarrierBroken effect);

        void onDrained(Drained effect);

        void onExcludeHosts(ExcludeHosts effect);

        void onReleaseExecutor(ReleaseExecutor effect);

        void onPublishEvent(PublishEvent effect);
    }
}
