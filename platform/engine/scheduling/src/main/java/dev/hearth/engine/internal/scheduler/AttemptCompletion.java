package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import java.util.Map;

/** Handles the end of a task attempt: success, retry, or failure of its task set. Owned by {@link TaskScheduler}. */
final class AttemptCompletion {
    private final SchedulerSettings settings;
    private final Map<TaskSetId, TaskSet> sets;
    private final SchedulerEffects effects;
    private final DefinedPlans plans;
    private final ApplicationExclusion exclusion;
    private final LossExplanations explanations;

    AttemptCompletion(
            SchedulerSettings settings,
            Map<TaskSetId, TaskSet> sets,
            SchedulerEffects effects,
            DefinedPlans plans,
            ApplicationExclusion exclusion,
            LossExplanations explanations) {
        this.settings = settings;
        this.sets = sets;
        this.effects = effects;
        this.plans = plans;
        this.exclusion = exclusion;
        this.explanations = explanations;
    }

    /**
     * Handles the end of an attempt that was already removed from its executor and its task set. {@code charge} says
     * what an unsuccessful end counts against.
     */
    void ended(Attempt attempt, TaskEnd end, Charge charge, long now) {
        TaskSet set = attempt.set;
        switch (end.outcome()) {
            case SUCCEEDED -> succeeded(set, attempt, end, now);
            case FETCH_FAILED -> fetchFailed(set, attempt, end, now);
            case FAILED, EXECUTOR_LOST, KILLED, COMMIT_DENIED, RECALLED -> unsuccessful(set, attempt, end, charge, now);
        }
        if (set.phase() != TaskSetState.OPEN && set.runningTasks() == 0) {
            drained(set);
        }
    }

    private void succeeded(TaskSet set, Attempt attempt, TaskEnd end, long now) {
        TaskInfo info = attempt.info();
        if (set.phase() == TaskSetState.OVER || set.isDone(attempt.index)) {
            effects.add(new SchedulerEffect.Ended(set.id(), info, end));
            return;
        }
        long bytes = set.resultBytes() + end.value().weight();
        if (settings.resultBytesMax() > 0 && bytes > settings.resultBytesMax()) {
            effects.add(new SchedulerEffect.Ended(set.id(), info, end));
            fail(set, tooLarge(set, bytes));
            return;
        }
        set.markDone(attempt.index, end.value().weight());
        effects.add(new SchedulerEffect.Succeeded(set.id(), info, end));
        Attempt twin = attempt.twin;
        if (twin != null) {
            kill(twin, true, "another attempt succeeded");
        }
        if (set.isOpen() && set.isDone()) {
            exclusion.setSucceeded(set, now);
            finish(set);
        }
    }

    private void fetchFailed(TaskSet set, Attempt attempt, TaskEnd end, long now) {
        if (set.phase() == TaskSetState.OVER || set.isDone(attempt.index)) {
            effects.add(new SchedulerEffect.Ended(set.id(), attempt.info(), end));
            return;
        }
        effects.add(new SchedulerEffect.FetchFailed(set.id(), attempt.info(), end));
        end.fetch().ifPresent(fetch -> exclusion.fetchFailed(fetch, now));
        if (set.isBarrier()) {
            // the other tasks may be waiting for this task at a barrier
            killAll(set, true, "a task of the same barrier stage could not fetch its input");
        }
        if (set.isOpen()) {
            set.pool().remove(set);
            set.moveTo(TaskSetState.FROZEN);
        }
    }

    private void unsuccessful(TaskSet set, Attempt attempt, TaskEnd end, Charge charge, long now) {
        effects.add(new SchedulerEffect.Ended(set.id(), attempt.info(), end));
        if (!set.isOpen() || set.isDone(attempt.index)) {
            return;
        }
        if (charge != Charge.NONE) {
            int failures = set.countFailure(attempt.index);
            if (failures >= settings.taskFailuresMax() || end.failure().permanent()) {
                fail(set, taskFailed(set, attempt, failures, end.failure()));
                return;
            }
            if (charge == Charge.TASK_AND_HOST) {
                exclusion.taskFailed(set, attempt, now);
            }
            if (end.outcome() == TaskOutcome.EXECUTOR_LOST) {
                set.addLoss(attempt.index, attempt.executor.id());
            }
        }
        if (set.isBarrier()) {
            breakBarrier(set, attempt, end);
        } else {
            set.requeue(attempt.index);
        }
    }

    private void breakBarrier(TaskSet set, Attempt attempt, TaskEnd end) {
        String text = end.failure().text();
        String reason = "task for partition " + set.partition(attempt.index) + " on executor " + attempt.executor.id()
                + ": " + end.outcome() + (text.isEmpty() ? "" : ": " + text);
        killAll(set, true, "barrier stage broken: " + reason);
        finish(set);
        effects.add(new SchedulerEffect.BarrierBroken(set.id(), reason));
    }

    /** Fails a task set with {@code failure} as the cause, and kills the running attempts of the set. */
    private void fail(TaskSet set, HearthException failure) {
        killAll(set, set.spec().interruptOnCancel(), "task set " + set.id() + " failed");
        finish(set);
        effects.add(new SchedulerEffect.SetFailed(set.id(), failure));
    }

    /**
     * Fails a task set outside the handling of a task's end, for example after a timeout. If none of its attempts runs,
     * reports the set as drained at once, because no later end of a task can cause that report.
     */
    void abort(TaskSet set, HearthException failure) {
        fail(set, failure);
        if (set.runningTasks() == 0) {
            drained(set);
        }
    }

    void cancel(TaskSet set, boolean interrupt, String reason) {
        killAll(set, interrupt, reason);
        if (set.phase() != TaskSetState.OVER) {
            finish(set);
        }
        if (set.runningTasks() == 0) {
            drained(set);
        }
    }

    /**
     * Moves a task set to {@link TaskSetState#OVER}. {@link #drained} must be called when the last attempt of the set
     * has ended, or at once if no attempt runs.
     */
    private void finish(TaskSet set) {
        if (set.isOpen()) {
            set.pool().remove(set);
        }
        set.moveTo(TaskSetState.OVER);
    }

    private void drained(TaskSet set) {
        sets.remove(set.id());
        plans.release(set.spec().plan(), set.planUse());
        effects.add(new SchedulerEffect.Drained(set.id()));
    }

    private void killAll(TaskSet set, boolean interrupt, String reason) {
        for (int place = 0; place < set.runningTasks(); place++) {
            kill(set.running(place), interrupt, reason);
        }
    }

    void kill(Attempt attempt, boolean interrupt, String reason) {
        attempt.killed = true;
        if (!attempt.executor.lost) {
            effects.add(
                    new SchedulerEffect.Kill(attempt.executor.id(), attempt.task, KillKind.ending(interrupt), reason));
        }
    }

    private HearthException tooLarge(TaskSet set, long bytes) {
        return ErrorCode.RESULTS_TOO_LARGE.failure(
                "results of " + Quantity.of(set.succeeded() + 1, "task") + " of stage " + set.id()
                        + ": " + bytes + " bytes (expected: at most " + settings.resultBytesMax()
                        + ", from hearth.driver.maxResultSize); return less to the driver, or raise the setting");
    }

    private HearthException taskFailed(TaskSet set, Attempt attempt, int failures, TaskFailure last) {
        String where = "task for partition " + set.partition(attempt.index) + " of job "
                + set.spec().job() + ", stage " + set.id() + ": failed ";
        String executor = " on executor " + attempt.executor.id() + " (" + attempt.executor.host() + "): ";
        String text = last.permanent()
                ? where + "for good" + executor + last.text()
                : where
                        + Quantity.of(failures, "time")
                        + ", last"
                        + executor
                        + last.text()
                        + explanations.describe(set.losses(attempt.index));
        return ErrorCode.TASK_FAILED.failure(text, RemoteTaskException.of(last));
    }
}
