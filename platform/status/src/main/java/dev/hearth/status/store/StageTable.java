package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.api.event.ApplicationEvent.StageSubmitted;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.monitor.StageView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The jobs, stage attempts and tasks of an application. Guarded by the lock of {@link StatusStore}. */
final class StageTable {
    private final StatusSettings settings;
    private final ExecutorTable executors;
    private final TaskTable tasks;
    private final Map<Integer, JobRecord> jobs = new LinkedHashMap<>();
    private final TreeMap<Long, StageRecord> stages = new TreeMap<>(); // by stage id and attempt number
    private final Set<StageRecord> active = new LinkedHashSet<>();
    private final ArrayDeque<Integer> endedJobs = new ArrayDeque<>();
    private final ArrayDeque<StageRecord> endedStages = new ArrayDeque<>();
    private @Nullable StageRecord last; // result of the last lookup, as successive events often concern one stage

    StageTable(StatusSettings settings, ExecutorTable executors, TaskTable tasks) {
        this.settings = settings;
        this.executors = executors;
        this.tasks = tasks;
    }

    void jobStarted(JobStarted event) {
        JobRecord job = new JobRecord(event);
        jobs.put(event.job(), job);
        for (StageInfo planned : event.stages()) {
            StageRecord stage = newest(planned.stage());
            if (stage == null || stage.state == StageView.State.SKIPPED) {
                stage = put(new StageRecord(planned));
            }
            stage.jobs.add(event.job());
            stage.activeJobs.add(job);
            if (stage.state == StageView.State.ACTIVE) { // another job has started the stage, and this job shares it
                job.begun.add(planned.stage());
                job.activeStages++;
            }
        }
    }

    void jobEnded(JobEnded event) {
        JobRecord job = jobs.get(event.job());
        if (job == null || job.endedMillis.isPresent()) {
            return;
        }
        job.end(event.atMillis(), event.failure());
        for (StageInfo planned : job.started.stages()) {
            for (StageRecord stage : attempts(planned.stage())) {
                stage.activeJobs.remove(job);
                if (stage.state == StageView.State.PENDING && stage.activeJobs.isEmpty()) {
                    over(stage, StageView.State.SKIPPED, event.atMillis());
                }
            }
        }
        endedJobs.add(event.job());
        if (endedJobs.size() > settings.jobs()) {
            jobs.remove(endedJobs.remove());
        }
    }

    void stageSubmitted(StageSubmitted event) {
        StageInfo planned = event.stage();
        StageRecord before = newest(planned.stage());
        StageRecord stage = before;
        if (before == null || before.info().attempt() != planned.attempt() || before.isOver()) {
            stage = new StageRecord(planned);
            if (before != null) {
                stage.jobs.addAll(before.jobs);
                stage.activeJobs.addAll(before.activeJobs);
                if (before.state == StageView.State.PENDING) {
                    stages.remove(key(before.info()));
                }
            }
            put(stage);
        }
        stage.submit(planned, event.atMillis());
        active.add(stage);
        for (JobRecord job : stage.activeJobs) {
            job.begun.add(planned.stage());
            job.activeStages++;
        }
    }

    void stageCompleted(StageCompleted event) {
        StageRecord stage = stage(event.stage().stage(), event.stage().attempt());
        if (stage == null || stage.isOver()) {
            return;
        }
        boolean failed = !event.failure().isEmpty();
        for (JobRecord job : stage.activeJobs) {
            job.activeStages -= stage.state == StageView.State.ACTIVE ? 1 : 0;
            job.completedStages += failed ? 0 : 1;
            job.failedStages += failed ? 1 : 0;
        }
        stage.failure = event.failure();
        if (!event.metrics().equals(TaskMetrics.NONE)) {
            stage.sums.replace(event.metrics());
        }
        over(stage, failed ? StageView.State.FAILED : StageView.State.COMPLETE, event.atMillis());
        executors.stageOver(event.stage().stage());
    }

    void taskStarted(TaskStarted event) {
        TaskInfo task = event.task();
        StageRecord stage = stage(task.stage(), task.stageAttempt());
        executors.taskStarted(task);
        if (stage != null) {
            stage.tally.started();
            stage.activeJobs.forEach(job -> job.tally.started());
            stage.firstTask(task.launchedMillis());
            stage.running.put(task.task(), task);
        }
    }

    void taskEnded(TaskEnded event) {
        StageRecord stage = stage(event.task().stage(), event.task().stageAttempt());
        boolean counted = stage != null && stage.running.remove(event.task().task()) != null;
        executors.taskEnded(event, counted);
        if (stage == null) {
            return;
        }
        stage.tally.ended(event.outcome(), event.failure());
        for (JobRecord job : stage.activeJobs) {
            job.tally.ended(event.outcome(), event.failure());
        }
        if (!stage.isOver()) { // the event of the stage's end carries the final sums
            stage.sums.add(event.metrics());
        }
        stage.accumulate(event);
        tasks.add(stage, event, executors.place(event.task()));
        settle(stage);
    }

    void summarised(TasksSummarised event) {
        StageRecord stage = stage(event.stage(), event.stageAttempt());
        if (stage == null) {
            return;
        }
        stage.tally.add(event);
        stage.activeJobs.forEach(job -> job.tally.add(event));
        stage.summarised += event.succeeded() + event.failed() + event.killed();
        if (event.started() > 0) {
            stage.firstTask(event.atMillis());
        }
        if (!stage.isOver()) {
            stage.sums.add(event.metrics());
        }
        settle(stage);
    }

    /**
     * Ends the tasks of {@code stage} that are recorded as running although no task of it is active. No event reported
     * their ends; only sums of tasks included them.
     */
    private void settle(StageRecord stage) {
        if (stage.tally.active() <= 0 && !stage.running.isEmpty()) {
            stage.running.values().forEach(executors::forgotten);
            stage.running.clear();
        }
    }

    private void over(StageRecord stage, StageView.State state, long millis) {
        stage.end(state, millis);
        active.remove(stage);
        endedStages.add(stage);
        if (endedStages.size() > settings.stages()) {
            StageRecord gone = endedStages.remove();
            stages.remove(key(gone.info()), gone);
            tasks.forget(gone);
            last = last == gone ? null : last;
        }
    }

    Map<Integer, JobRecord> jobs() {
        return jobs;
    }

    Iterable<StageRecord> stages() {
        return stages.values();
    }

    Set<StageRecord> active() {
        return active;
    }

    List<StageRecord> attempts(int id) {
        return new ArrayList<>(stages.subMap(key(id, 0), true, key(id, Integer.MAX_VALUE), true)
                .values());
    }

    @Nullable
    StageRecord stage(int id, int attempt) {
        StageRecord recent = last;
        if (recent != null && recent.info().stage() == id && recent.info().attempt() == attempt) {
            return recent;
        }
        StageRecord found = stages.get(key(id, attempt));
        last = found == null ? last : found;
        return found;
    }

    private @Nullable StageRecord newest(int id) {
        Map.Entry<Long, StageRecord> entry = stages.floorEntry(key(id, Integer.MAX_VALUE));
        return entry == null || entry.getValue().info().stage() != id ? null : entry.getValue();
    }

    private StageRecord put(StageRecord stage) {
        StageRecord replaced = stages.put(key(stage.info()), stage);
        if (replaced != null) {
            tasks.forget(replaced);
            endedStages.remove(replaced);
        }
        last = stage;
        return stage;
    }

    private static long key(StageInfo stage) {
        return key(stage.stage(), stage.attempt());
    }

    private static long key(int id, int attempt) {
        return (long) id << Integer.SIZE | attempt;
    }
}
