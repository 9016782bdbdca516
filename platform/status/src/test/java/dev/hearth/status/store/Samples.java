package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.api.event.ApplicationEvent.StageSubmitted;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.Locality;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Map;

/** Events for tests, with defaults for irrelevant fields. */
public final class Samples {
    private Samples() {}

    public static StageInfo stage(int id, int attempt, int tasks) {
        return new StageInfo(
                id, attempt, "count at Main.java:12", "details", tasks, List.of(), List.of(), -1, false, "default", 0);
    }

    public static JobStarted job(long millis, int id, StageInfo... stages) {
        return new JobStarted(
                millis, id, "count at Main.java:12", "", "group", List.of("tag"), List.of(stages), Map.of());
    }

    public static ApplicationEvent submitted(long millis, StageInfo stage) {
        return new StageSubmitted(millis, stage);
    }

    public static ApplicationEvent completed(long millis, StageInfo stage, String failure) {
        return new StageCompleted(millis, stage, 0, failure, TaskMetrics.NONE);
    }

    public static ApplicationEvent jobEnded(long millis, int id, String failure) {
        return new JobEnded(millis, id, failure);
    }

    public static TaskInfo task(long id, StageInfo stage, int partition, long millis) {
        return new TaskInfo(
                id, stage.stage(), stage.attempt(), partition, 0, "0", "host-a", Locality.ANY, false, millis);
    }

    public static TaskStarted started(TaskInfo task) {
        return new TaskStarted(task.launchedMillis(), task);
    }

    public static TaskEnded ended(long millis, TaskInfo task, TaskOutcome outcome, String failure) {
        return new TaskEnded(millis, task, outcome, failure, metrics(millis - task.launchedMillis()), Map.of());
    }

    /** Metrics of a task with this run time; the fields that most tasks set are not 0. */
    public static TaskMetrics metrics(long millis) {
        return new TaskMetrics(millis * 1_000_000, millis * 900_000, 1000, 100, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
