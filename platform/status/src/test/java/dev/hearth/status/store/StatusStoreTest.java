package dev.hearth.status.store;

import static dev.hearth.status.store.Samples.completed;
import static dev.hearth.status.store.Samples.ended;
import static dev.hearth.status.store.Samples.job;
import static dev.hearth.status.store.Samples.jobEnded;
import static dev.hearth.status.store.Samples.stage;
import static dev.hearth.status.store.Samples.started;
import static dev.hearth.status.store.Samples.submitted;
import static dev.hearth.status.store.Samples.task;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.ApplicationEnded;
import dev.hearth.api.event.ApplicationEvent.ApplicationStarted;
import dev.hearth.api.event.ApplicationEvent.ExecutorAdded;
import dev.hearth.api.event.ApplicationEvent.ExecutorDescribed;
import dev.hearth.api.event.ApplicationEvent.ExecutorExcluded;
import dev.hearth.api.event.ApplicationEvent.ExecutorLossExplained;
import dev.hearth.api.event.ApplicationEvent.ExecutorRemoved;
import dev.hearth.api.event.ApplicationEvent.ExecutorsHindered;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.monitor.AccumulableView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.TaskDistribution;
import dev.hearth.spi.monitor.TaskMetric;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Feeds a store with the events of jobs, some of them as sums, and checks its views. */
class StatusStoreTest {
    private final StatusStore store = new StatusStore(StatusSettings.DEFAULTS);
    private final StageInfo map = stage(0, 0, 4);
    private final StageInfo result = stage(1, 0, 2);

    @Test
    void countsStagesAndTasksOfAJobWhileItRuns() {
        store.on(job(100, 7, map, result));
        store.on(submitted(110, map));
        runTasks(map, 0, 3, TaskOutcome.SUCCEEDED);
        TaskInfo running = task(3, map, 3, 120);
        store.on(started(running));

        JobView view = store.job(7).orElseThrow();
        assertEquals(JobView.State.RUNNING, view.state());
        assertEquals(new JobView.StageCounts(1, 0, 0, 0), view.stageCounts());
        assertEquals(6, view.tasks());
        assertEquals(1, view.taskCounts().active());
        assertEquals(3, view.taskCounts().succeeded());
        assertEquals(
                List.of(0), store.activeStages().stream().map(StageView::id).toList());
        assertEquals(List.of(StageView.State.ACTIVE, StageView.State.PENDING), states());
        assertEquals(OptionalLong.of(120), store.stage(0, 0).orElseThrow().firstTaskMillis());
    }

    @Test
    void replacesTheReasonOfALossThatWasExplainedLater() {
        store.on(added(90, "0"));
        store.on(submitted(100, map));
        store.on(new ExecutorLossExplained(101, "0", "too early"));
        TaskInfo lost = task(0, map, 0, 100);
        TaskInfo failed = task(1, map, 1, 100);
        store.on(ended(105, failed, TaskOutcome.FAILED, "it threw"));
        store.on(ended(110, lost, TaskOutcome.EXECUTOR_LOST, "executor lost: connection lost"));
        store.on(new ExecutorRemoved(110, "0", "connection lost"));
        assertEquals("connection lost", store.executors().get(0).removedFor());

        store.on(new ExecutorLossExplained(120, "0", "above 2 GiB"));
        ExecutorView executor = store.executors().get(0);
        assertEquals("above 2 GiB", executor.removedFor());
        assertEquals(OptionalLong.of(110), executor.removedMillis());
        assertEquals(
                List.of("executor lost: above 2 GiB", "it threw"),
                store.tasks(0, 0, TaskQuery.ALL).stream().map(TaskView::failure).toList());
        store.on(new ExecutorLossExplained(121, "stranger", "of no concern"));
        assertEquals(executor, store.executors().get(0));
    }

    private static ExecutorAdded added(long atMillis, String executor) {
        return new ExecutorAdded(atMillis, executor, "host-0", 4, Map.of(), Map.of(), 0, 4, List.of());
    }

    @Test
    void showsHowTheClusterDescribesApplicationAndExecutors() {
        ApplicationLinks links = new ApplicationLinks(
                Optional.of("http://cluster/app-1"), Map.of("stdout", "http://host/out"), Map.of("USER", "someone"));
        store.on(new ApplicationStarted(
                90,
                "app-1",
                "count",
                "user",
                "yarn",
                "2",
                "http://cluster/app-1",
                links.driverLogs(),
                Map.of("USER", "someone")));
        store.on(new ApplicationEnded(130));
        assertEquals("2", store.application().attempt());
        assertEquals(links, store.application().links());

        store.on(new ExecutorAdded(
                100,
                "0",
                "host-0",
                4,
                Map.of("stdout", "a"),
                Map.of("RACK", "r1"),
                3,
                2,
                List.of(new ResourceInformation("gpu", List.of("0")))));
        assertEquals(Map.of("stdout", "a"), store.executors().get(0).logs());
        assertEquals(3, store.executors().get(0).profile());
        assertEquals(2, store.executors().get(0).maxTasks());
        assertEquals(List.of("0"), store.executors().get(0).resources().get(0).addresses());
        store.on(new ExecutorDescribed(110, "0", Map.of("stdout", "b"), Map.of("RACK", "r2")));
        store.on(new ExecutorDescribed(110, "stranger", Map.of(), Map.of()));
        assertEquals(Map.of("stdout", "b"), store.executors().get(0).logs());
        assertEquals(Map.of("RACK", "r2"), store.executors().get(0).attributes());
        assertEquals(1, store.executors().size());
    }

    @Test
    void showsWhatHindersTheClusterUntilThatIsOver() {
        store.on(new ApplicationStarted(90, "app-1", "count", "user", "yarn", "", "", Map.of(), Map.of()));
        assertEquals("", store.application().hindrance());
        store.on(new ExecutorsHindered(100, "quota used up"));
        assertEquals("quota used up", store.application().hindrance());
        assertEquals("app-1", store.application().id());
        store.on(new ExecutorsHindered(110, ""));
        assertEquals("", store.application().hindrance());
        store.on(new ExecutorsHindered(120, "queue stopped"));
        store.on(new ApplicationEnded(130));
        assertEquals("", store.application().hindrance());
    }

    @Test
    void distinguishesSkippedStagesFromExecutedOnes() {
        store.on(job(100, 0, map, result));
        store.on(submitted(100, result));
        runTasks(result, 0, 2, TaskOutcome.SUCCEEDED);
        store.on(completed(150, result, ""));
        store.on(jobEnded(160, 0, ""));

        JobView view = store.job(0).orElseThrow();
        assertEquals(JobView.State.SUCCEEDED, view.state());
        assertEquals(new JobView.StageCounts(0, 1, 1, 0), view.stageCounts());
        assertEquals(4, view.skippedTasks());
        assertEquals(List.of(StageView.State.SKIPPED, StageView.State.COMPLETE), states());
        assertEquals("job 0 (count at Main.java:12): 2 tasks in 1 stage (1 skipped), 0.1 s", JobSummaryLog.line(view));
    }

    @Test
    void separatesTheAttemptsOfAStage() {
        store.on(job(100, 0, map));
        store.on(submitted(100, map));
        runTasks(map, 0, 1, TaskOutcome.FETCH_FAILED);
        store.on(completed(130, map, "lost output"));
        StageInfo again = stage(0, 1, 4);
        store.on(submitted(140, again));
        runTasks(again, 10, 4, TaskOutcome.SUCCEEDED);
        store.on(completed(150, again, ""));

        List<StageView> attempts = store.stage(0);
        assertEquals(List.of(StageView.State.FAILED, StageView.State.COMPLETE), states());
        assertEquals("lost output", attempts.get(0).failure());
        assertEquals(List.of(0), attempts.get(1).jobs());
        assertEquals(1, store.job(0).orElseThrow().stageCounts().failed());
        assertEquals(4, new StoreStatusTracker(store).stage(0).orElseThrow().completedTasks());
    }

    @Test
    void addsSumsToSingleTasks() {
        store.on(job(100, 0, map));
        store.on(submitted(100, map));
        store.on(started(task(0, map, 0, 101)));
        store.on(new TasksSummarised(120, 0, 0, 3, 3, 0, 0, Samples.metrics(5)));
        assertEquals(1, store.stage(0, 0).orElseThrow().taskCounts().active());
        store.on(new TasksSummarised(130, 0, 0, 0, 0, 1, 0, TaskMetrics.NONE));

        StageView view = store.stage(0, 0).orElseThrow();
        assertEquals(0, view.taskCounts().active());
        assertEquals(3, view.taskCounts().succeeded());
        assertEquals(1, view.taskCounts().failed());
        assertEquals(4, view.summarised());
        assertEquals(5_000_000, view.metrics().runNanos());
        assertEquals(
                List.of(),
                store.tasks(0, 0, TaskQuery.ALL),
                "no task is active, so the task whose end came as a sum has ended");
    }

    @Test
    void listsTasksByTheRequestedOrderAndState() {
        store.on(submitted(100, map));
        TaskInfo slow = task(0, map, 0, 100);
        TaskInfo quick = task(1, map, 1, 100);
        TaskInfo killed = task(2, map, 2, 100);
        TaskInfo running = task(3, map, 3, 100);
        List.of(slow, quick, killed, running).forEach(each -> store.on(started(each)));
        store.on(ended(105, quick, TaskOutcome.SUCCEEDED, ""));
        store.on(ended(110, killed, TaskOutcome.KILLED, "another attempt succeeded"));
        store.on(ended(190, slow, TaskOutcome.SUCCEEDED, ""));

        assertEquals(List.of(0L, 1L, 2L, 3L), ids(TaskQuery.ALL));
        assertEquals(
                List.of(3L, 0L),
                ids(new TaskQuery(0, 2, TaskQuery.Order.DECREASING_RUNTIME, Set.of())).stream()
                        .sorted((a, b) -> Long.compare(b, a))
                        .toList());
        assertEquals(List.of(2L), ids(new TaskQuery(0, 9, TaskQuery.Order.ID, Set.of(TaskQuery.State.KILLED))));
        assertEquals(List.of(1L, 2L), ids(new TaskQuery(1, 2, TaskQuery.Order.ID, Set.of())));
        TaskView view = store.tasks(0, 0, TaskQuery.ALL).get(0);
        assertEquals(slow, view.info());
        assertEquals(OptionalLong.of(190), view.endedMillis());
        assertEquals(Samples.metrics(90), view.metrics());
        assertEquals(
                Map.of("another attempt succeeded", 1),
                store.stage(0, 0).orElseThrow().taskCounts().killedFor());
    }

    @Test
    void computesQuantilesOfMetrics() {
        StageInfo wide = stage(0, 0, 1000);
        store.on(submitted(0, wide));
        for (int index = 0; index < 1000; index++) {
            TaskInfo task = task(index, wide, index, 0);
            store.on(started(task));
            store.on(ended((index * 7919L) % 1000, task, TaskOutcome.SUCCEEDED, ""));
        }
        TaskDistribution spread =
                store.distribution(0, 0, List.of(0.0, 0.5, 1.0)).orElseThrow();
        assertEquals(List.of(0.0, 500.0, 999.0), spread.millis());
        assertEquals(List.of(0.0, 500e6, 999e6), spread.of(TaskMetric.RUN_NANOS));
        assertEquals(1000, spread.tasks());
    }

    @Test
    void retainsNoMoreThanItsBounds() {
        StatusStore small = new StatusStore(new StatusSettings(3, 5, 1000, 2));
        long next = 0;
        for (int id = 0; id < 50; id++) {
            StageInfo only = stage(id, 0, 300);
            small.on(job(id, id, only));
            small.on(submitted(id, only));
            for (int partition = 0; partition < 300; partition++) {
                TaskInfo task = task(next++, only, partition, id);
                small.on(started(task));
                small.on(ended(id, task, TaskOutcome.SUCCEEDED, ""));
            }
            small.on(completed(id, only, ""));
            small.on(jobEnded(id, id, ""));
            small.on(added(id, "e" + id));
            small.on(new ExecutorRemoved(id, "e" + id, "idle"));
        }
        assertEquals(List.of(47, 48, 49), small.jobs().stream().map(JobView::id).toList());
        assertEquals(
                List.of(45, 46, 47, 48, 49),
                small.stages().stream().map(StageView::id).toList());
        assertTrue(small.tasksKept() <= 1000, () -> small.tasksKept() + " tasks");
        assertEquals(300, small.tasks(49, 0, TaskQuery.ALL).size());
        assertEquals(
                List.of("e48", "e49"),
                small.executors().stream().map(ExecutorView::id).toList());
    }

    @Test
    void retainsTheNewestTasksOfALargeStage() {
        StatusStore small = new StatusStore(new StatusSettings(1, 1, 1000, 0));
        StageInfo huge = stage(0, 0, 100_000);
        small.on(submitted(0, huge));
        for (int index = 0; index < 100_000; index++) {
            TaskInfo task = task(index, huge, index, 0);
            small.on(started(task));
            small.on(ended(1, task, TaskOutcome.SUCCEEDED, ""));
        }
        List<TaskView> persisted = small.tasks(0, 0, TaskQuery.ALL);
        assertTrue(
                persisted.size() <= 1000 && persisted.size() >= 1000 - EndedTaskRows.ROWS_MAX,
                () -> persisted.size() + " tasks");
        assertEquals(99_999, persisted.get(persisted.size() - 1).info().task());
        assertEquals(100_000, small.stage(0, 0).orElseThrow().taskCounts().succeeded());
    }

    @Test
    void sumsNamedAccumulatorsOverAStage() {
        store.on(submitted(0, map));
        for (int index = 0; index < 3; index++) {
            TaskInfo task = task(index, map, index, 0);
            store.on(started(task));
            store.on(new TaskEnded(
                    1, task, TaskOutcome.SUCCEEDED, "", TaskMetrics.NONE, Map.of("lines", "" + (index + 1))));
        }
        assertEquals(
                List.of(new AccumulableView("lines", "6")),
                store.stage(0, 0).orElseThrow().accumulables());
    }

    @Test
    void showsExcludedExecutorsAndTheirTasks() {
        store.on(added(1, "0"));
        store.on(submitted(1, map));
        store.on(started(task(0, map, 0, 2)));
        store.on(new ExecutorExcluded(3, "0", "host-0", 2, 0));
        ExecutorView view = store.executors().get(0);
        assertEquals(List.of(0), view.excludedStages());
        assertEquals(1, view.taskCounts().active());
        assertEquals(1, new StoreStatusTracker(store).executors().get(0).runningTasks());
        store.on(completed(4, map, ""));
        assertEquals(List.of(), store.executors().get(0).excludedStages());
    }

    private void runTasks(StageInfo stage, int first, int count, TaskOutcome outcome) {
        for (int index = 0; index < count; index++) {
            TaskInfo task = task(first + index, stage, index, 120);
            store.on(started(task));
            store.on(ended(125, task, outcome, outcome == TaskOutcome.SUCCEEDED ? "" : "failed"));
        }
    }

    private List<StageView.State> states() {
        return store.stages().stream().map(StageView::state).toList();
    }

    private List<Long> ids(TaskQuery query) {
        List<Long> ids = new ArrayList<>();
        store.tasks(0, 0, query).forEach(view -> ids.add(view.info().task()));
        return ids;
    }
}
