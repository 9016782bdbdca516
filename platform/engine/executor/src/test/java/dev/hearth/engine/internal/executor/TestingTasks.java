package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Executor with a few cores on real threads. The test takes the ends of tasks one by one, and closes this at the end.
 */
final class TestingTasks implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final long HEAP_BYTES = 1L << 30;

    final UserObjectSerializer objects = new UserObjectSerializer(TestingTasks.class.getClassLoader());
    final DataPlane data;
    final BlockingQueue<TaskEnd> ends = new LinkedBlockingQueue<>();
    final BlockingQueue<ExitCode> fatalities = new LinkedBlockingQueue<>();
    final TestingCalls calls = new TestingCalls();
    final TaskRunner runner;
    private long tasksMade;

    TestingTasks(int cores) {
        this(cores, true, ReaperSettings.OFF);
    }

    TestingTasks(int cores, boolean inDriver, ReaperSettings reaper) {
        data = data(objects, inDriver, HEAP_BYTES);
        TaskServices services = new TaskServices(
                objects,
                inDriver,
                calls,
                (task, value, subject) -> new TaskResult.Encoded(objects.write(value, subject)),
                calls,
                data,
                Optional.empty(),
                attached(),
                TaskClocks.system(),
                reaper,
                (code, reason) -> fatalities.add(code),
                1);
        runner = new TaskRunner(TestingTasks.class.getClassLoader(), cores, CoreThreads::new, services, ends::addAll);
    }

    /** No attached files. */
    static AttachedFiles attached() {
        return new AttachedFiles(
                new ApplicationDirectory(() -> DiskSettings.from(Settings.empty())),
                TestingTasks.class.getClassLoader(),
                (attachment, target) -> {
                    throw new AssertionError("nothing is attached");
                });
    }

    /** A data plane for tasks in the driver's process, with a heap of its own. */
    static DataPlane data(UserObjectSerializer objects) {
        return data(objects, true, HEAP_BYTES);
    }

    static DataPlane data(UserObjectSerializer objects, boolean inDriver, long heapBytes) {
        ProcessMemory process = new ProcessMemory(heapBytes);
        return new DataPlane(objects, Settings.empty(), () -> process, Ticker.system(), inDriver);
    }

    Step step(Function<CapturedFunction, Step> step, Object function) {
        return step.apply(capture(function));
    }

    Sink sink(Function<CapturedFunction, Sink> sink, Object function) {
        return sink.apply(capture(function));
    }

    private CapturedFunction capture(Object function) {
        return CapturedFunction.of(function, objects, "function of a test");
    }

    /** Map output partitioned by hash code, with nothing combined. */
    static Sink shuffleWrite(int shuffle, int partitions) {
        return new Sink.ShuffleWrite(shuffle, partitions, CapturedFunction.NONE, Optional.empty());
    }

    static StagePlan plan(Pipeline pipeline, PartitionInputs inputs, int partitions) {
        return plan(StagePlan.RESULT, pipeline, inputs, partitions, false);
    }

    static StagePlan plan(int shuffle, Pipeline pipeline, PartitionInputs inputs, int partitions, boolean barrier) {
        return new StagePlan(
                shuffle,
                pipeline,
                inputs,
                partitions,
                List.of(),
                PreferredLocations.ANYWHERE,
                barrier,
                "stage",
                "",
                List.of());
    }

    static Pipeline pipeline(Sink sink, Step... steps) {
        return new Pipeline(new Source.Elements(), List.of(steps), sink, Map.of("colour", "red"));
    }

    /** Launches all partitions as one batch and returns the id of the first task. */
    long launch(StagePlan plan) {
        return launch(plan, 0);
    }

    long launch(StagePlan plan, int attempt) {
        long first = tasksMade;
        LaunchBatch batch = new LaunchBatch(plan, 7, 0);
        for (int partition = 0; partition < plan.partitions(); partition++) {
            batch.add(tasksMade++, partition, attempt);
        }
        runner.define(plan);
        runner.launch(batch);
        return first;
    }

    TaskEnd next() throws InterruptedException {
        TaskEnd end = ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (end == null) {
            throw new AssertionError("no task ended within " + PATIENCE_SECONDS + " s");
        }
        return end;
    }

    /** Runs all partitions and returns their ends by partition. */
    List<TaskEnd> run(StagePlan plan) throws InterruptedException {
        long first = launch(plan);
        TaskEnd[] byPartition = new TaskEnd[plan.partitions()];
        for (int i = 0; i < byPartition.length; i++) {
            TaskEnd end = next();
            byPartition[(int) (end.task() - first)] = end;
        }
        return List.of(byPartition);
    }

    /** Runs all partitions of a stage that collects, and returns all elements. */
    List<Object> collect(StagePlan plan) throws InterruptedException {
        List<Object> all = new ArrayList<>();
        for (TaskEnd end : run(plan)) {
            all.addAll(List.of((Object[]) value(end)));
        }
        return all;
    }

    Object value(TaskEnd end) {
        if (end.value() instanceof TaskResult.Shared shared) {
            if (shared.value() == null) {
                throw new AssertionError("no value: " + end);
            }
            return shared.value();
        }
        return objects.read(((TaskResult.Encoded) end.value()).bytes(), "value");
    }

    @Override
    public void close() {
        runner.stop();
        data.close();
    }
}
