package dev.hearth.engine.internal.dag;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.Locality;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A stage scheduler whose task scheduler is played by the test. An executor {@code a1} is on host {@code a}. */
final class DagFixture implements DagEffect.Handler {
    static final DagSettings SETTINGS =
            new DagSettings(4, Integer.MAX_VALUE, false, 3, Duration.ofSeconds(15), 2, Duration.ofDays(1));
    private static final Pipeline PIPELINE = new Pipeline(new Source.Elements(), List.of(), new Sink.Count(), Map.of());
    static final TaskMetrics ONE_NANO = new TaskMetrics(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    final Map<TaskSetId, TaskSetSpec> sets = new LinkedHashMap<>();
    final Map<TaskSetId, String> cancelled = new LinkedHashMap<>();
    final Map<TaskSetId, Boolean> interrupts = new LinkedHashMap<>();
    final Set<TaskSetId> over = new LinkedHashSet<>();
    final Map<Integer, Map<Integer, TaskEnd>> results = new TreeMap<>();
    final Set<Long> counted = new LinkedHashSet<>();
    final List<Integer> completed = new ArrayList<>();
    final Map<Integer, HearthException> failed = new LinkedHashMap<>();
    final List<ApplicationEvent> events = new ArrayList<>();
    private final IdentityHashMap<StagePlan, Integer> inUse = new IdentityHashMap<>(); // by how many stages

    private final DagScheduler scheduler;
    private Moment now = new Moment(-5_000_000_000L, 1_000);
    private final List<TaskSetId> newlySubmitted = new ArrayList<>();
    private long tasks;

    DagFixture() {
        this(SETTINGS);
    }

    DagFixture(DagSettings settings) {
        scheduler = new DagScheduler(settings);
    }

    static StagePlan map(int shuffle, int partitions, Integer... parents) {
        return stage(shuffle, partitions, false, parents);
    }

    static StagePlan result(int partitions, Integer... parents) {
        return stage(StagePlan.RESULT, partitions, false, parents);
    }

    static StagePlan stage(int shuffle, int partitions, boolean barrier, Integer... parents) {
        return new StagePlan(
                shuffle,
                PIPELINE,
                PartitionInputs.NONE,
                partitions,
                List.of(parents),
                PreferredLocations.ANYWHERE,
                barrier,
                "s" + shuffle,
                "",
                List.of());
    }

    /** A job over all partitions of its last stage. */
    static JobSpec job(int id, StagePlan... stages) {
        int partitions = stages[stages.length - 1].partitions();
        return job(id, IntStream.range(0, partitions).toArray(), stages);
    }

    static JobSpec job(int id, int[] wanted, StagePlan... stages) {
        return job(id, wanted, Optional.empty(), List.of(), false, stages);
    }

    static JobSpec job(
            int id, int[] wanted, Optional<String> group, List<String> tags, boolean interrupt, StagePlan... stages) {
        JobPlan plan = new JobPlan(Arrays.asList(stages), wanted);
        return new JobSpec(id, plan, "job" + id, "", group, tags, "pool" + id, interrupt, Map.of());
    }

    void submit(JobSpec job) {
        act(dag -> dag.submit(job, now));
    }

    int cancel(ToIntBiFunction<DagScheduler, Moment> which) {
        int[] count = {0};
        act(dag -> count[0] = which.applyAsInt(dag, now));
        return count[0];
    }

    /** Calls the scheduler and performs its effects. */
    void act(Consumer<DagScheduler> action) {
        action.accept(scheduler);
        scheduler.drain().forEach(effect -> effect.perform(this));
    }

    Moment now() {
        return now;
    }

    void succeed(TaskSetId set, int partition, String executor) {
        long task = tasks++;
        act(dag -> dag.succeeded(
                new SchedulerEffect.Succeeded(
                        set,
                        info(task, set, partition, executor),
                        TaskEnd.succeeded(task, TaskResult.NONE, ONE_NANO, List.of())),
                now));
    }

    /** All tasks of a set succeed, and the set is drained. */
    void succeedAll(TaskSetId set, String executor) {
        for (int partition : partitions(set)) {
            succeed(set, partition, executor);
        }
        drained(set);
    }

    void ended(TaskSetId set, int partition, String executor) {
        long task = tasks++;
        act(dag -> dag.ended(new SchedulerEffect.Ended(
                set,
                info(task, set, partition, executor),
                TaskEnd.ended(task, TaskOutcome.FAILED, TaskFailure.NONE, ONE_NANO))));
    }

    void drained(TaskSetId set) {
        act(dag -> dag.drained(new SchedulerEffect.Drained(set)));
    }

    void fetchFailed(TaskSetId set, int shuffle, int map, String from) {
        fetchFailed(
                set,
                new FetchFailure(shuffle, map, Optional.of(new ExecutorId(from)), host(from), "connection refused"));
    }

    void fetchFailed(TaskSetId set, FetchFailure fetch) {
        long task = tasks++;
        act(dag -> dag.fetchFailed(
                new SchedulerEffect.FetchFailed(
                        set,
                        info(task, set, 0, "reader"),
                        TaskEnd.fetchFailed(task, fetch, TaskFailure.NONE, ONE_NANO)),
                now));
    }

    void broken(TaskSetId set) {
        act(dag -> dag.barrierBroken(new SchedulerEffect.BarrierBroken(set, "a task of it failed"), now));
    }

    void lose(String executor) {
        lose(executor, OutputLoss.OF_THE_EXECUTOR);
    }

    void lose(String executor, OutputLoss what) {
        lose(executor, what, true);
    }

    /** Loses an executor to preemption, with its outputs. */
    void preempt(String executor) {
        lose(executor, OutputLoss.OF_THE_EXECUTOR, false);
    }

    private void lose(String executor, OutputLoss what, boolean charged) {
        act(dag -> dag.executorLost(new ExecutorId(executor), host(executor), what, charged, now));
    }

    void leave(String executor) {
        act(dag -> dag.executorDecommissioned(new ExecutorId(executor)));
    }

    void move(int shuffle, int map, String from, String to) {
        act(dag -> dag.outputMoved(new MapOutputId(shuffle, map), new ExecutorId(from), new ExecutorId(to), host(to)));
    }

    /** Lets time pass until the next deadline of the scheduler. */
    void wake() {
        long next = scheduler.nextWakeNanos().orElseThrow();
        assertTrue(next - now.nanos() >= 0, "it waits for the future");
        pass(Duration.ofNanos(next - now.nanos()));
    }

    void pass(Duration time) {
        now = new Moment(now.nanos() + time.toNanos(), now.millis() + time.toMillis());
        act(dag -> dag.tick(now));
    }

    boolean waits() {
        return scheduler.nextWakeNanos().isPresent();
    }

    int activeJobs() {
        return scheduler.activeJobs();
    }

    List<Integer> partitions(TaskSetId set) {
        TaskSetSpec spec = sets.get(set);
        assertNotNull(spec, () -> set + " was not submitted, only " + sets.keySet());
        return IntStream.of(spec.partitions()).boxed().toList();
    }

    /** The sets submitted since the last call. */
    List<TaskSetId> submitted() {
        List<TaskSetId> answer = List.copyOf(newlySubmitted);
        newlySubmitted.clear();
        return answer;
    }

    <E extends ApplicationEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    static TaskSetId set(int stage, int attempt) {
        return new TaskSetId(stage, attempt);
    }

    static UnaryOperator<String> contains(String... parts) {
        return text -> Arrays.stream(parts)
                .filter(part -> !text.contains(part))
                .findFirst()
                .orElse("");
    }

    /** Whether a stage runs by the plan. */
    boolean isInUse(StagePlan plan) {
        return inUse.containsKey(plan);
    }

    private static String host(String executor) {
        return executor.substring(0, 1);
    }

    private static TaskInfo info(long task, TaskSetId set, int partition, String executor) {
        return new TaskInfo(
                task, set.stage(), set.attempt(), partition, 0, executor, host(executor), Locality.ANY, false, 0);
    }

    @Override
    public void onSubmit(DagEffect.Submit effect) {
        assertNull(sets.put(effect.tasks().id(), effect.tasks()), "an attempt is submitted once");
        assertTrue(effect.tasks().partitions().length > 0, "a set has tasks");
        assertTrue(isInUse(effect.tasks().plan()), "of a stage that there is");
        newlySubmitted.add(effect.tasks().id());
    }

    @Override
    public void onCancel(DagEffect.Cancel effect) {
        assertTrue(sets.containsKey(effect.set()), "only what was submitted is cancelled");
        assertNull(cancelled.put(effect.set(), effect.reason()), "a set is cancelled once");
        interrupts.put(effect.set(), effect.interrupt());
    }

    @Override
    public void onResult(DagEffect.Result effect) {
        requireActive(effect.job());
        Map<Integer, TaskEnd> job = results.computeIfAbsent(effect.job(), id -> new TreeMap<>());
        assertNull(job.put(effect.index(), effect.end()), "a result comes once");
    }

    @Override
    public void onCount(DagEffect.MergeAccumulators effect) {
        assertTrue(counted.add(effect.end().task()), "an attempt counts once");
    }

    @Override
    public void onCompleted(DagEffect.Completed effect) {
        requireActive(effect.job());
        completed.add(effect.job());
    }

    @Override
    public void onFailed(DagEffect.Failed effect) {
        requireActive(effect.job());
        failed.put(effect.job(), effect.failure());
    }

    private void requireActive(int job) {
        assertFalse(completed.contains(job) || failed.containsKey(job), "job " + job + " has not ended before");
    }

    @Override
    public void onStageAttemptEnded(DagEffect.StageAttemptEnded effect) {
        assertTrue(over.add(effect.set()), "an attempt is over once");
    }

    @Override
    public void onStageCreated(DagEffect.StageCreated effect) {
        inUse.merge(effect.plan(), 1, Integer::sum);
    }

    @Override
    public void onStageRemoved(DagEffect.StageRemoved effect) {
        assertTrue(isInUse(effect.plan()), "a stage goes once");
        inUse.computeIfPresent(effect.plan(), (plan, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public void onPublishEvent(DagEffect.PublishEvent effect) {
        events.add(effect.event());
    }
}
