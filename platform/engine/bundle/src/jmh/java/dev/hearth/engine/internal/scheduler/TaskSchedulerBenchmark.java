package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Scheduler cost of a task from launch to success: four million tasks in one set, on executors of four cores. Each
 * executor reports all its tasks at once; the scheduler settles 64 executors at a time. One thread, no network.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class TaskSchedulerBenchmark {
    private static final int TASKS = 4_000_000;
    private static final int CORES = 4;
    private static final int EXECUTORS_PER_SETTLING = 64;
    private static final TaskMetrics SHORT = new TaskMetrics(10_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final TaskMetrics LONG = new TaskMetrics(10_000_000_000L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Number of executors. */
    @Param({"100", "1000", "10000"})
    public int executors;

    /** Whether tasks are so short that they queue at executors. */
    @Param({"false", "true"})
    public boolean queued;

    private StagePlan plan = plan();
    private int[] partitions = {};
    private ExecutorId[] ids = {};
    private long[][] held = {};
    private int[] heldSizes = {};

    @Setup
    public void makeInputs() {
        partitions = IntStream.range(0, TASKS).toArray();
        ids = IntStream.range(0, executors)
                .mapToObj(number -> new ExecutorId(String.valueOf(number)))
                .toArray(ExecutorId[]::new);
        held = new long[executors][CORES]; // no larger than needed: the pages of the benchmark are not to be measured
        heldSizes = new int[executors];
    }

    /** Runs all tasks; returns the number of successes. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public int launchAndSucceed() {
        TaskScheduler scheduler = new TaskScheduler(SchedulerSettings.from(Settings.empty()), PoolTree.fifo());
        scheduler.publishTaskStarts(false);
        long now = 0;
        for (ExecutorId id : ids) {
            scheduler.executorUp(id, "host-" + id, CORES, now);
        }
        plan = plan();
        scheduler.submit(new TaskSetSpec(new TaskSetId(0, 0), 0, plan, partitions, "", true), now);
        TaskMetrics metrics = queued ? SHORT : LONG;
        int succeeded = perform(scheduler, now);
        for (int at = 0; scheduler.taskSets() > 0; at = (at + EXECUTORS_PER_SETTLING) % executors) {
            now += 50_000;
            for (int of = at; of < Math.min(at + EXECUTORS_PER_SETTLING, executors); of++) {
                report(scheduler, of, metrics, now);
            }
            succeeded += perform(scheduler, now);
        }
        if (succeeded != TASKS) {
            throw new IllegalStateException(succeeded + " tasks succeeded (expected: " + TASKS + ")");
        }
        return succeeded;
    }

    private void report(TaskScheduler scheduler, int executor, TaskMetrics metrics, long now) {
        int size = heldSizes[executor];
        heldSizes[executor] = 0;
        for (int index = 0; index < size; index++) {
            scheduler.updated(
                    ids[executor], TaskEnd.succeeded(held[executor][index], TaskResult.NONE, metrics, List.of()), now);
        }
    }

    private int perform(TaskScheduler scheduler, long now) {
        scheduler.settle(now, now / 1_000_000);
        int succeeded = 0;
        for (SchedulerEffect effect : scheduler.drain()) {
            if (effect instanceof SchedulerEffect.Succeeded) {
                succeeded++;
            } else if (effect instanceof SchedulerEffect.Launch launch) {
                hold(Integer.parseInt(launch.executor().value()), launch.batch());
            }
        }
        return succeeded;
    }

    private void hold(int executor, LaunchBatch batch) {
        int size = heldSizes[executor] + batch.size();
        if (size > held[executor].length) {
            held[executor] = Arrays.copyOf(held[executor], size * 2);
        }
        for (int index = 0; index < batch.size(); index++) {
            held[executor][heldSizes[executor]++] = batch.task(index);
        }
    }

    private static StagePlan plan() {
        Pipeline pipeline = new Pipeline(new Source.Elements(), List.of(), new Sink.Count(), Map.of());
        return new StagePlan(
                StagePlan.RESULT,
                pipeline,
                PartitionInputs.NONE,
                TASKS,
                List.of(),
                PreferredLocations.ANYWHERE,
                false,
                "empty tasks",
                "",
                List.of());
    }
}
