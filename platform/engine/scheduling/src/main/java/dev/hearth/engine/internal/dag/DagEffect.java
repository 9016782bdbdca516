package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;

/**
 * A decision of {@link DagScheduler} as data, for example to submit a task set or to publish an event. The
 * {@code SchedulerShell}, which owns the scheduler, performs the effects in order. A handler must handle each kind.
 */
public sealed interface DagEffect {
    void perform(Handler handler);

    record Submit(TaskSetSpec tasks) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSubmit(this);
        }
    }

    /** Cancels a task set that is no longer needed: drops its pending tasks and kills its running ones. */
    record Cancel(TaskSetId set, boolean interrupt, String reason) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCancel(this);
        }
    }

    /** The result of one partition. It is the {@code index}th result that the job requested, and is delivered once. */
    record Result(int job, int index, TaskEnd end) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onResult(this);
        }
    }

    /** Merges the accumulator updates of a task. Requested once per partition of a stage. */
    record MergeAccumulators(TaskEnd end) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCount(this);
        }
    }

    /** A job succeeded, and all its results were delivered. */
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

    /** A stage attempt is over. Its tasks may no longer commit output or enter a barrier. */
    record StageAttemptEnded(TaskSetId set) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageAttemptEnded(this);
        }
    }

    /** A stage was created with this plan. Jobs that share the stage use the plan of the first job. */
    record StageCreated(StagePlan plan) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageCreated(this);
        }
    }

    /** A stage was removed after all its attempts were cancelled. No further task with this plan is launched. */
    record StageRemoved(StagePlan plan) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageRemoved(this);
        }
    }

    /** Publishes an event to listeners about the start or the end of a job or stage. */
    record PublishEvent(ApplicationEvent event) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onPublishEvent(this);
        }
    }

    interface Handler { // no default methods, so that the compiler reports a handler that misses a kind of effect
        void onSubmit(Submit effect);

        void onCancel(Cancel effect);

        void onResult(Result effect);

        void onCount(MergeAccumulators effect);

        void onCompleted(Completed effect);

        void onFailed(Failed effect);

        void onStageAttemptEnded(StageAttemptEnded effect);

        void onStageCreated(StageCreated effect);

        void onStageRemoved(StageRemoved effect);

        void onPublishEvent(PublishEvent effect);
    }
}
