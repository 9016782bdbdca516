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

/** What the task scheduler wants done or known, in order. Closed: a shell stops compiling until it performs a new one. */
public sealed interface SchedulerEffect {
    void perform(Handler handler);

    /** Comes once per executor and plan, before the first launch that names the plan. */
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

    record Kill(ExecutorId executor, long task, KillKind kind, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onKill(this);
        }
    }

    /** No task of the plan will come to the executor any more. */
    record Forget(ExecutorId executor, StagePlan plan) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onForget(this);
        }
    }

    /** A partition's first success. Later ones of the same partition are {@link Ended}. */
    record Succeeded(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSucceeded(this);
        }
    }

    /** An attempt that counts for nothing: failed, killed, lost, too late, recalled; what follows from it comes by itself. */
    record Ended(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onEnded(this);
        }
    }

    /** What a task wanted to read is not there; the set runs no further tasks, those that run go on. */
    record FetchFailed(TaskSetId set, TaskInfo task, TaskEnd end) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFetchFailed(this);
        }
    }

    /** The set cannot succeed: too many failures, nowhere to run, too large results. Its running tasks were told to end. */
    record SetFailed(TaskSetId set, HearthException failure) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSetFailed(this);
        }
    }

    /** All tasks of a barrier set must run again, for one of them ended badly; the set is over. */
    record BarrierBroken(TaskSetId set, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onBarrierBroken(this);
        }
    }

    /** The set is over and none of its attempts runs any more; the last word about it. */
    record Drained(TaskSetId set) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDrained(this);
        }
    }

    /** The cluster should give other executors in place of these hosts. */
    record ExcludeHosts(Set<String> hosts) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onExcluded(this);
        }
    }

    /** The executor is excluded from the application and to be given back. */
    record ReleaseExecutor(ExecutorId executor, String reason) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onGiveBack(this);
        }
    }

    /** Something to be told to listeners and to nobody else: exclusion, readmission, speculation, starts of tasks. */
    record PublishEvent(ApplicationEvent event) implements SchedulerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onTold(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
        void onDefine(Define effect);

        void onLaunch(Launch effect);

        void onKill(Kill effect);

        void onForget(Forget effect);

        void onSucceeded(Succeeded effect);

        void onEnded(Ended effect);

        void onFetchFailed(FetchFailed effect);

        void onSetFailed(SetFailed effect);

        void onBarrierBroken(BarrierBroken effect);

        void onDrained(Drained effect);

        void onExcluded(ExcludeHosts effect);

        void onGiveBack(ReleaseExecutor effect);

        void onTold(PublishEvent effect);
    }
}
