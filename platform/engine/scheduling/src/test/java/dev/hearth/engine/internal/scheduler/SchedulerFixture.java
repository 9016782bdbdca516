package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A task scheduler with a manual clock, and a record of all its effects. One thread. */
public final class SchedulerFixture {
    static final long MILLI = 1_000_000;

    final TaskScheduler scheduler;
    final List<SchedulerEffect> effects = new ArrayList<>(); // all effects so far
    final Map<Long, Launched> held = new LinkedHashMap<>(); // attempts that have not ended
    long now = 1_000 * MILLI;

    /** An attempt as launched at its executor. */
    record Launched(String executor, int stage, int stageAttempt, long task, int partition, int attempt) {}

    SchedulerFixture(String... settings) {
        this(PoolTree.fifo(), settings);
    }

    SchedulerFixture(PoolTree pools, String... settings) {
        this.scheduler = new TaskScheduler(settings(settings), pools);
    }

    SchedulerFixture(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    SchedulerFixture(Function<String, Optional<String>> racks, String... settings) {
        this.scheduler = new TaskScheduler(settings(settings), PoolTree.fifo(), racks);
    }

    public static SchedulerSettings settings(String... pairs) {
        Settings settings = Settings.empty();
        for (int at = 0; at < pairs.length; at += 2) {
            settings = settings.with("test", "hearth." + pairs[at], pairs[at + 1]);
        }
        return SchedulerSettings.from(settings);
    }

    static StagePlan plan(int partitions, PreferredLocations placement, boolean barrier) {
        return new StagePlan(
                StagePlan.RESULT,
                new Pipeline(new Source.Elements(), List.of(), new Sink.Count(), Map.of()),
                PartitionInputs.NONE,
                partitions,
                List.of(),
                placement,
                barrier,
                "stage",
                "",
                List.of());
    }

    /** A plan of {@code partitions} tasks of a resource profile. */
    static StagePlan plan(int partitions, TaskProfile profile, boolean barrier) {
        StagePlan plan = plan(partitions, PreferredLocations.ANYWHERE, barrier);
        return new StagePlan(
                plan.shuffle(),
                plan.pipeline(),
                plan.inputs(),
                partitions,
                plan.parents(),
                plan.placement(),
                barrier,
                plan.name(),
                plan.details(),
                plan.datasets(),
                false,
                profile);
    }

    static TaskSetSpec spec(int stage, int attempt, int job, StagePlan plan, String pool) {
        int[] partitions = IntStream.range(0, plan.partitions()).toArray();
        return new TaskSetSpec(new TaskSetId(stage, attempt), job, plan, partitions, pool, true);
    }

    SchedulerFixture up(String executor, int cores, TaskProfile profile, String... gpus) {
        Map<String, ResourceInformation> resources =
                gpus.length == 0 ? Map.of() : Map.of("gpu", new ResourceInformation("gpu", List.of(gpus)));
        scheduler.executorUp(new ExecutorId(executor), "host of " + executor, cores, resources, profile, now);
        return this;
    }

    TaskSetId submit(int stage, int partitions, TaskProfile profile) {
        return submit(spec(stage, 0, stage, plan(partitions, profile, false), ""));
    }

    SchedulerFixture up(String executor, String host, int cores) {
        scheduler.executorUp(new ExecutorId(executor), host, cores, now);
        return this;
    }

    /** Submits a set of {@code partitions} tasks whose job has the number of the stage. */
    TaskSetId submit(int stage, int partitions) {
        return submit(spec(stage, 0, stage, plan(partitions, PreferredLocations.ANYWHERE, false), ""));
    }

    TaskSetId submit(int stage, int partitions, PreferredLocations placement) {
        return submit(spec(stage, 0, stage, plan(partitions, placement, false), ""));
    }

    TaskSetId submitBarrier(int stage, int partitions) {
        return submit(spec(stage, 0, stage, plan(partitions, PreferredLocations.ANYWHERE, true), ""));
    }

    TaskSetId submit(TaskSetSpec spec) {
        scheduler.submit(spec, now);
        return spec.id();
    }

    /** Settles and returns the launched attempts. */
    List<Launched> settle() {
        scheduler.settle(now, now / MILLI);
        List<Launched> launched = new ArrayList<>();
        for (SchedulerEffect effect : scheduler.drain()) {
            effects.add(effect);
            if (effect instanceof SchedulerEffect.Launch launch) {
                LaunchBatch batch = launch.batch();
                for (int at = 0; at < batch.size(); at++) {
                    Launched one = new Launched(
                            launch.executor().value(),
                            batch.stage(),
                            batch.stageAttempt(),
                            batch.task(at),
                            batch.partition(at),
                            batch.attempt(at));
                    launched.add(one);
                    held.put(one.task(), one);
                }
            }
        }
        return launched;
    }

    List<Launched> settleAfter(Duration time) {
        now += time.toNanos();
        return settle();
    }

    void succeed(Launched task) {
        succeed(task, 0, 0);
    }

    void succeed(Launched task, long runNanos, long weight) {
        TaskMetrics metrics = new TaskMetrics(runNanos, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        end(task, TaskEnd.succeeded(task.task(), new TaskResult.Shared(task.partition(), weight), metrics, List.of()));
    }

    void fail(Launched task) {
        end(task, TaskOutcome.FAILED);
    }

    void end(Launched task, TaskOutcome outcome) {
        end(task, TaskEnd.ended(task.task(), outcome, TaskFailure.of("it went wrong"), TaskMetrics.NONE));
    }

    void end(Launched task, TaskEnd end) {
        held.remove(task.task());
        scheduler.updated(new ExecutorId(task.executor()), end, now);
    }

    void lose(String executor, LostExecutor why) {
        held.values().removeIf(task -> task.executor().equals(executor));
        scheduler.executorLost(new ExecutorId(executor), why, now);
    }

    <E extends SchedulerEffect> List<E> all(Class<E> type) {
        return effects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <E extends ApplicationEvent> List<E> events(Class<E> type) {
        return all(SchedulerEffect.PublishEvent.class).stream()
                .map(SchedulerEffect.PublishEvent::event)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    List<TaskSetId> drained() {
        return all(SchedulerEffect.Drained.class).stream()
                .map(SchedulerEffect.Drained::set)
                .toList();
    }

    HearthException failureOf(TaskSetId set) {
        return all(SchedulerEffect.SetFailed.class).stream()
                .filter(failed -> failed.set().equals(set))
                .map(SchedulerEffect.SetFailed::failure)
                .findFirst()
                .orElseThrow(() -> new AssertionError("task set " + set + " did not fail: " + effects));
    }
}
