package dev.hearth.engine.internal.executor;

import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Cost of an empty task, from its launch to its reported end. The goal is at most 2 microseconds of one core. */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EmptyTasksBenchmark {
    private static final int TASKS = 10_000;

    @Param({"1", "2"})
    int cores = 1;

    @Param({"EMPTY", "PLAIN", "MUTABLE"})
    Work work = Work.EMPTY;

    private final AtomicInteger left = new AtomicInteger();
    private final Thread asking = Thread.currentThread();
    private Thread waiting = asking;
    private TaskRunner runner = runner(1);
    private StagePlan plan = Work.EMPTY.plan(objects());
    private StagePlan pair = plan;

    /** Work of the tasks. */
    public enum Work {
        EMPTY {
            @Override
            Step[] steps(UserObjectSerializer objects) {
                return new Step[0];
            }
        },
        PLAIN {
            @Override
            Step[] steps(UserObjectSerializer objects) {
                int added = 3;
                MapFunction<Integer, Integer> plain = number -> number + added;
                return new Step[] {new Step.Map(CapturedFunction.of(plain, objects, "plain"))};
            }
        },
        MUTABLE {
            @Override
            Step[] steps(UserObjectSerializer objects) {
                List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
                MapFunction<Integer, Integer> mutable = number -> number + list.size();
                return new Step[] {new Step.Map(CapturedFunction.of(mutable, objects, "mutable"))};
            }
        };

        abstract Step[] steps(UserObjectSerializer objects);

        StagePlan plan(UserObjectSerializer objects) {
            PartitionInputs inputs =
                    ParallelizedElements.cut(IntStream.range(0, TASKS).boxed().toArray(), TASKS, objects);
            Pipeline pipeline =
                    new Pipeline(new Source.Elements(), List.of(steps(objects)), new Sink.Count(), Map.of());
            return new StagePlan(
                    StagePlan.RESULT,
                    pipeline,
                    inputs,
                    TASKS,
                    List.of(),
                    PreferredLocations.ANYWHERE,
                    false,
                    "stage",
                    "",
                    List.of());
        }
    }

    private static UserObjectSerializer objects() {
        return new UserObjectSerializer(EmptyTasksBenchmark.class.getClassLoader());
    }

    private TaskRunner runner(int count) {
        TaskServices services = new TaskServices(
                objects(),
                true,
                new TestingCalls(),
                (task, value, subject) -> new TaskResult.Encoded(objects().write(value, subject)),
                (id, task) -> id,
                TestingTasks.data(objects()),
                Optional.empty(),
                TestingTasks.attached(),
                TaskClocks.system(),
                ReaperSettings.OFF,
                TaskServices.FatalErrorHandler.SURVIVE,
                1);
        return new TaskRunner(
                EmptyTasksBenchmark.class.getClassLoader(), count, CoreThreads::new, services, this::ended);
    }

    private void ended(List<TaskEnd> ends) {
        if (left.addAndGet(-ends.size()) == 0) {
            LockSupport.unpark(waiting);
        }
    }

    @Setup(Level.Trial)
    public void start() {
        runner.stop();
        runner = runner(cores);
        plan = work.plan(objects());
        pair = work.plan(objects());
        runner.define(plan);
        runner.define(pair);
        waiting = Thread.currentThread();
    }

    @TearDown(Level.Trial)
    public void stop() {
        runner.stop();
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OperationsPerInvocation(TASKS)
    public int many() {
        return run(plan, TASKS);
    }

    /** Time from the launch of two tasks to the end of the later one, with idle threads. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public int two() {
        return run(pair, 2);
    }

    private int run(StagePlan stage, int count) {
        left.set(count);
        LaunchBatch batch = new LaunchBatch(stage, 0, 0);
        for (int i = 0; i < count; i++) {
            batch.add(i, i, 0);
        }
        runner.launch(batch);
        while (left.get() > 0) {
            LockSupport.park(this);
        }
        return left.get();
    }
}
