package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;

/** What the stage scheduler wants done or known, in order. Closed: a shell stops compiling until it performs a new one. */
public sealed interface DagEffect {
    void perform(Handler handler);

    record Submit(TaskSetSpec tasks) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSubmit(this);
        }
    }

    /** The set is not needed any more: its waiting tasks go, its running ones are told to end. */
    record Cancel(TaskSetId set, boolean interrupt, String reason) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCancel(this);
        }
    }

    /** One result of a job: the {@code index}th of the partitions it wants. Comes once for each. */
    record Result(int job, int index, TaskEnd end) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onResult(this);
        }
    }

    /** What a task added to accumulators counts now; comes once per partition of a stage. */
    record MergeAccumulators(TaskEnd end) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCount(this);
        }
    }

    /** All results of the job have been handed out. */
    record Completed(int job) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCompleted(this);
        }
    }

    record Failed(int job, HearthException failure) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFailed(this);
        }
    }

    /** A stage attempt is over; nobody may publish output under it any more. */
    record StageAttemptEnded(TaskSetId set) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageOver(this);
        }
    }

    /** There is a stage that runs by this plan, whichever jobs need it: the plan of the job that came first. */
    record StageCreated(StagePlan plan) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageMade(this);
        }
    }

    /** The stage is gone, behind the cancelling of all its attempts: nothing is launched by the plan any more for its sake. */
    record StageRemoved(StagePlan plan) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageGone(this);
        }
    }

    /** Something to be told to listeners: starts and ends of jobs and stages. */
    record PublishEvent(ApplicationEvent event) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onTold(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
        void onSubmit(Submit effect);

        void onCancel(Cancel effect);

        void onResult(Result effect);

        void onCount(MergeAccumulators effect);

        void onCompleted(Completed effect);

        void onFailed(Failed effect);

        void onStageOver(StageAttemptEnded effect);

        void onStageMade(StageCreated effect);

        void onStageGone(StageRemoved effect);

        void onTold(PublishEvent effect);
    }
}
