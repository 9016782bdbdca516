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
 * An action or a notification that {@link TaskScheduler} requests of its shell, in order. A shell must handle each
 * kind.
 */
public sealed interface SchedulerEffect {
    void perform(Handler handler);

    /** Sends a plan to an executor, once, before the first launch that refers to the plan. */
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
     * The number of attempts of a set that have begun. Replaces single start events if no listener wants those. Comes
     * before the ends of these attempts.
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

    /** Lets an executor drop a plan: no further launch there refers to it. */
    record Forget(ExecutorId executor, StagePlan plan) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onForget(this);
        }
    }

    /** First success of a partition. Later successes of the same partition are {@link Ended}. */
    record Succeeded(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSucceeded(this);
        }
    }

    /**
     * End of an attempt without effect on results: failed, killed, lost, recalled or too late. Retries follow
     * separately.
     */
    record Ended(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onEnded(this);
        }
    }

    /** A task could not fetch its input. The set launches no further tasks; its running ones go on. */
    record FetchFailed(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFetchFailed(this);
        }
    }

    /**
     * A task set failed: too many task failures, all executors excluded, or results too large. Its running tasks are
     * being killed.
     */
    record SetFailed(TaskSetId set, HearthException failure) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSetFailed(this);
        }
    }

    /** A task of a barrier task set ended without success: the set is over, and all its tasks must run again. */
    record BarrierBroken(TaskSetId set, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onBarrierBroken(this);
        }
    }

    /** None of a set's attempts runs any more, and it launches no further ones. The last effect of a set. */
    record Drained(TaskSetId set) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDrained(this);
        }
    }

    /** The complete set of hosts on which the cluster manager should start no executors. */
    record ExcludeHosts(Set<String> hosts) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onExcludeHosts(this);
        }
    }

    /** Releases an excluded executor to the cluster manager. */
    record ReleaseExecutor(ExecutorId executor, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onReleaseExecutor(this);
        }
    }

    /** Publishes an event to listeners: exclusion and its end, speculation, task starts. */
    record PublishEvent(ApplicationEvent event) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onPublishEvent(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
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
