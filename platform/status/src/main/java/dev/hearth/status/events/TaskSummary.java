package dev.hearth.status.events;

import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;

/**
 * Sum of the task starts and ends of one stage attempt. It replaces the events of single tasks for a listener that is
 * slow or does not want an event per task. Guarded by the lock of the {@link EventQueue}.
 */
final class TaskSummary {
    private final int stage;
    private final int stageAttempt;
    private long atMillis;
    private long started;
    private long succeeded;
    private long failed;
    private long killed;
    private TaskMetrics metrics = TaskMetrics.NONE;

    TaskSummary(int stage, int stageAttempt) {
        this.stage = stage;
        this.stageAttempt = stageAttempt;
    }

    boolean isOf(int otherStage, int otherAttempt) {
        return stage == otherStage && stageAttempt == otherAttempt;
    }

    void started(long millis, int tasks) {
        atMillis = millis;
        started += tasks;
    }

    void ended(long millis, TaskOutcome outcome, TaskMetrics taken) {
        atMillis = millis;
        switch (outcome) {
            case SUCCEEDED -> succeeded++;
            case FAILED, EXECUTOR_LOST, FETCH_FAILED -> failed++;
            case KILLED, COMMIT_DENIED, RECALLED -> killed++;
        }
        metrics = metrics.plus(taken);
    }

    TasksSummarised event() {
        return new TasksSummarised(atMillis, stage, stageAttempt, started, succeeded, failed, killed, metrics);
    }
}
