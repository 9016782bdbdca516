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

    /**
     * Cancels a task set that is no longer needed: drops its pending tasks and kills its running tasks.
     * {@code interrupt} says whether their threads are interrupted.
     */
    record Cancel(TaskSetId set, boolean interrupt, String reason) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCancel(this);
        }
    }

    /**
     * Delivers the result of one partition, contained in {@code end}, to a job. It is the {@code index}th result that
     * the job requested, and is delivered once.
     */
    record Result(int job, int index, TaskEnd end) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onResult(this);
        }
    }

    /**
     * Merges the accumulator updates in the end of a task ({@code end}). Requested at most once per partition of a
     * stage.
     */
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

    /** A stage attempt is over. From now on, its tasks may neither commit output nor enter a barrier. */
    record StageAttemptEnded(TaskSetId set) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageAttemptEnded(this);
        }
    }

    /**
     * A stage was created with {@code plan}. All jobs that share the stage use this plan, which is that of the first of
     * them.
     */
    record StageCreated(StagePlan plan) implements DagEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStageCreated(this);
        }
    }

    /** A stage was removed after all its attempts were cancelled. No further task of its {@code plan} is launched. */
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
