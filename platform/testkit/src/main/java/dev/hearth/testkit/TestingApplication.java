package dev.hearth.testkit;

import dev.hearth.api.event.Locality;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ApplicationView;
import dev.hearth.spi.monitor.EnvironmentView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.PoolView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.monitor.TaskCounts;
import dev.hearth.spi.monitor.TaskDistribution;
import dev.hearth.spi.monitor.TaskMetric;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import dev.hearth.spi.monitor.ThreadView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stand-in for a running application: a test sets the status that it shows, and reads the cancellations that it
 * records. Job 0 has succeeded with a skipped stage; job 1 runs, with stage 2 active. Owned by the test's thread.
 */
public final class TestingApplication implements RunningApplication, ApplicationStatus {
    public static final long STARTED_MILLIS = 1_763_459_266_000L; // 2025-11-18T09:47:46Z

    public final List<JobView> jobs = new ArrayList<>();
    public final List<StageView> stages = new ArrayList<>();
    public final List<TaskView> tasks = new ArrayList<>();
    public final List<ExecutorView> executors = new ArrayList<>();
    public final List<String> cancelled = new ArrayList<>();
    public StorageView storage = StorageView.NOTHING;
    public OptionalLong endedMillis = OptionalLong.empty();
    public String hindrance = "";
    public String attempt = "";
    public ApplicationLinks links = ApplicationLinks.NONE;
    private final String id;

    public TestingApplication(String id) {
        this.id = id;
        jobs.add(job(0, JobView.State.SUCCEEDED, List.of(0, 1)));
        jobs.add(job(1, JobView.State.RUNNING, List.of(2)));
        stages.add(stage(0, StageView.State.SKIPPED, 0));
        stages.add(stage(1, StageView.State.COMPLETE, 0));
        stages.add(stage(2, StageView.State.ACTIVE, 1));
        tasks.add(task(10, 0, 30, Optional.of(TaskOutcome.SUCCEEDED)));
        tasks.add(task(11, 1, 20, Optional.of(TaskOutcome.FAILED)));
        tasks.add(task(12, 2, 0, Optional.empty()));
        executors.add(executor("0", OptionalLong.empty()));
        executors.add(executor("1", OptionalLong.of(STARTED_MILLIS + 9000)));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String name() {
        return "Word count";
    }

    @Override
    public String user() {
        return "someone";
    }

    @Override
    public long startedMillis() {
        return STARTED_MILLIS;
    }

    @Override
    public ApplicationStatus status() {
        return this;
    }

    @Override
    public List<PoolView> pools() {
        return List.of(new PoolView("default", false, 1, 0, 1, List.of(2)));
    }

    @Override
    public void cancelJob(int job, String reason) {
        cancelled.add("job " + job + " " + reason);
    }

    @Override
    public void cancelStage(int stage, String reason) {
        cancelled.add("stage " + stage + " " + reason);
    }

    @Override
    public void cancelGroup(String group, String reason) {
        cancelled.add("group " + group + " " + reason);
    }

    @Override
    public void cancelTag(String tag, String reason) {
        cancelled.add("tag " + tag + " " + reason);
    }

    @Override
    public void cancelAll(String reason) {
        cancelled.add("all " + reason);
    }

    @Override
    public CompletionStage<Optional<List<ThreadView>>> threads(String executor) {
        ThreadView thread = new ThreadView(
                7,
                "task-7",
                "BLOCKED",
                true,
                5,
                false,
                List.of("user.Code.run(Code.java:12)", "java.lang.Thread.run(Thread.java:840)"),
                "java.lang.Object@1f",
                OptionalLong.of(8),
                "task-8",
                List.of("java.lang.Object@2f"));
        return CompletableFuture.completedStage(executor.equals("0") ? Optional.of(List.of(thread)) : Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> decommission(String executor, String reason) {
        boolean there = executor.equals("0");
        if (there) {
            cancelled.add("executor " + executor + " " + reason);
        }
        return CompletableFuture.completedStage(there);
    }

    @Override
    public ApplicationView application() {
        return new ApplicationView(
                id, name(), user(), "local[2]", attempt, STARTED_MILLIS, endedMillis, hindrance, links);
    }

    @Override
    public EnvironmentView environment() {
        return new EnvironmentView(
                Map.of("hearth.app.name", name()), Map.of("java.version", "17.0.1"), List.of("app.jar"));
    }

    @Override
    public List<JobView> jobs() {
        return List.copyOf(jobs);
    }

    @Override
    public Optional<JobView> job(int wanted) {
        return jobs.stream().filter(job -> job.id() == wanted).findFirst();
    }

    @Override
    public List<StageView> stages() {
        return List.copyOf(stages);
    }

    @Override
    public List<StageView> activeStages() {
        return stages.stream()
                .filter(stage -> stage.state() == StageView.State.ACTIVE)
                .toList();
    }

    @Override
    public List<StageView> stage(int wanted) {
        return stages.stream().filter(stage -> stage.id() == wanted).toList();
    }

    @Override
    public Optional<StageView> stage(int wanted, int attempt) {
        return stage(wanted).stream()
                .filter(stage -> stage.attempt() == attempt)
                .findFirst();
    }

    /**
     * Returns the same tasks for every stage attempt. Applies the states, offset and length of {@code query}, but
     * ignores its order.
     */
    @Override
    public List<TaskView> tasks(int stage, int attempt, TaskQuery query) {
        return tasks.stream()
                .filter(task -> query.states().isEmpty() || query.states().contains(state(task)))
                .skip(query.offset())
                .limit(query.length())
                .toList();
    }

    /**
     * Invented distribution: the value of each metric at a quantile is the quantile times a million. Empty unless the
     * stage is complete.
     */
    @Override
    public Optional<TaskDistribution> distribution(int stage, int attempt, List<Double> quantiles) {
        List<Double> values =
                quantiles.stream().map(quantile -> quantile * 1_000_000).toList();
        Map<TaskMetric, List<Double>> spread = new EnumMap<>(TaskMetric.class);
        List.of(TaskMetric.values()).forEach(metric -> spread.put(metric, values));
        return stage(stage, attempt)
                .filter(view -> view.state() == StageView.State.COMPLETE)
                .map(view -> new TaskDistribution(quantiles, values, spread, 2));
    }

    @Override
    public StorageView storage() {
        return storage;
    }

    @Override
    public List<ExecutorView> executors() {
        return List.copyOf(executors);
    }

    private static TaskQuery.State state(TaskView task) {
        return task.outcome()
                .map(outcome -> outcome == TaskOutcome.SUCCEEDED ? TaskQuery.State.SUCCEEDED : TaskQuery.State.FAILED)
                .orElse(TaskQuery.State.RUNNING);
    }

    private static JobView job(int id, JobView.State state, List<Integer> stages) {
        boolean runs = state == JobView.State.RUNNING;
        return new JobView(
                id,
                "count at Main.java:12",
                "",
                "nightly",
                List.of("etl"),
                state,
                "",
                STARTED_MILLIS + 1000,
                runs ? OptionalLong.empty() : OptionalLong.of(STARTED_MILLIS + 3500),
                stages,
                new JobView.StageCounts(runs ? 1 : 0, runs ? 0 : 1, runs ? 0 : 1, 0),
                4,
                runs ? 0 : 2,
                counts(runs ? 1 : 0));
    }

    private static StageView stage(int id, StageView.State state, int active) {
        return new StageView(
                new StageInfo(
                        id, 0, "count at Main.java:12", "at Main", 4, List.of(), List.of(1), -1, false, "default", 0),
                state,
                "",
                List.of(id / 2),
                state == StageView.State.SKIPPED ? OptionalLong.empty() : OptionalLong.of(STARTED_MILLIS + 1000),
                OptionalLong.empty(),
                state == StageView.State.COMPLETE ? OptionalLong.of(STARTED_MILLIS + 3500) : OptionalLong.empty(),
                counts(active),
                metrics(),
                0,
                List.of());
    }

    private static TaskView task(long id, int partition, long millis, Optional<TaskOutcome> outcome) {
        TaskInfo info =
                new TaskInfo(id, 2, 0, partition, 0, "0", "host-a", Locality.NODE_LOCAL, false, STARTED_MILLIS + 1000);
        return new TaskView(
                info,
                outcome,
                outcome.isEmpty() ? OptionalLong.empty() : OptionalLong.of(STARTED_MILLIS + 1000 + millis),
                outcome.isPresent() && outcome.get() != TaskOutcome.SUCCEEDED ? "it threw" : "",
                metrics(),
                List.of());
    }

    private static ExecutorView executor(String id, OptionalLong removedMillis) {
        return new ExecutorView(
                id,
                "host-a",
                2,
                STARTED_MILLIS,
                removedMillis,
                removedMillis.isPresent() ? "idle" : "",
                Map.of(),
                false,
                List.of(),
                counts(1),
                50,
                metrics(),
                Map.of(),
                0,
                2,
                List.of());
    }

    private static TaskCounts counts(int active) {
        return new TaskCounts(active, 2, 1, 0, Map.of());
    }

    private static TaskMetrics metrics() {
        return new TaskMetrics(25_000_000, 20_000_000, 1_000_000, 0, 0, 64, 5, 0, 0, 0, 0, 0, 0, 0, 0, 700, 900);
    }
}
