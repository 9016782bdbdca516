package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.protocol.DriverProtocol.RunningTask;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskRunnerTest {
    private static final Simulation SIMULATION = new Simulation(1); // advanced by a task

    private final TestingTasks tasks = new TestingTasks(2);

    @AfterEach
    void stop() {
        tasks.close();
    }

    private PartitionInputs numbers(int count, int partitions) {
        return ParallelizedElements.cut(IntStream.range(0, count).boxed().toArray(), partitions, tasks.objects);
    }

    @Test
    void runsEveryTaskOfABatchOnce() throws Exception {
        StagePlan plan = TestingTasks.plan(TestingTasks.pipeline(new Sink.Count()), numbers(500, 1_000), 1_000);
        List<TaskEnd> ends = tasks.run(plan);
        assertEquals(
                Set.of(TaskOutcome.SUCCEEDED),
                ends.stream().map(TaskEnd::outcome).collect(Collectors.toSet()));
        assertEquals(
                500, ends.stream().mapToLong(end -> (Long) tasks.value(end)).sum());
    }

    @Test
    void letsATaskGoOnThatHasBegunWhenItIsRecalled() throws Exception {
        MapFunction<Integer, Integer> wait = number -> {
            Gate.open("begun before the recall");
            Gate.await("recalled too late");
            return number;
        };
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Count(), tasks.step(Step.Map::new, wait)), numbers(1, 1), 1);
        long first = tasks.launch(plan);
        Gate.await("begun before the recall");
        tasks.runner.kill(first, KillKind.RECALL, "wanted elsewhere");
        Gate.open("recalled too late");
        assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
    }

    @Test
    void tellsHowFarThoseAreThatRun() throws Exception {
        MapFunction<Integer, Integer> wait = number -> {
            if (number == 6) {
                Gate.open("six were read");
                Gate.await("go on");
            }
            return number;
        };
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Count(), tasks.step(Step.Map::new, wait)), numbers(10, 1), 1);
        long task = tasks.launch(plan);
        Gate.await("six were read");
        List<RunningTask> running = tasks.runner.running(Duration.ZERO);
        assertEquals(List.of(task), running.stream().map(RunningTask::task).toList());
        assertTrue(running.get(0).recordsRead() >= 6, () -> running + " (expected: the seventh is under way)");
        assertEquals(List.of(), tasks.runner.running(Duration.ofDays(1)), "not for that long");
        Gate.open("go on");
        assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
    }

    @Test
    void recallsATaskThatWaits() throws Exception {
        MapFunction<Integer, Integer> wait = number -> {
            Gate.await("recall");
            return number;
        };
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Count(), tasks.step(Step.Map::new, wait)), numbers(3, 3), 3);
        long first = tasks.launch(plan);
        tasks.runner.kill(first + 2, KillKind.END, "not wanted");
        TaskEnd recalled = tasks.next();
        assertEquals(List.of(first + 2, TaskOutcome.RECALLED), List.of(recalled.task(), recalled.outcome()));
        Gate.open("recall");
        assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
        assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
    }

    @Test
    void interruptsATaskThatIsKilledAndNoLaterOne() throws Exception {
        ActionFunction<Integer> wait = number -> {
            Gate.open("begun");
            Gate.await("never");
        };
        StagePlan plan =
                TestingTasks.plan(TestingTasks.pipeline(tasks.sink(Sink.Foreach::new, wait)), numbers(1, 1), 1);
        long task = tasks.launch(plan);
        Gate.await("begun");
        tasks.runner.kill(task, KillKind.INTERRUPT, "enough");
        TaskEnd end = tasks.next();
        assertEquals(TaskOutcome.KILLED, end.outcome());
        assertEquals("enough", end.failure().text());
        List<TaskEnd> later = tasks.run(TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Collect(), tasks.step(Step.Map::new, (MapFunction<Integer, Boolean>)
                        number -> Thread.currentThread().isInterrupted())),
                numbers(4, 4),
                4));
        later.forEach(one -> assertEquals(List.of(false), List.of((Object[]) tasks.value(one))));
    }

    @Test
    void failsATaskWhoseStageWasNeverDefined() throws Exception {
        StagePlan plan = TestingTasks.plan(TestingTasks.pipeline(new Sink.Count()), numbers(1, 1), 1);
        LaunchBatch batch = new LaunchBatch(plan, 3, 0);
        batch.add(9, 0, 0);
        tasks.runner.launch(batch);
        TaskEnd end = tasks.next();
        assertEquals(TaskOutcome.FAILED, end.outcome());
        assertTrue(end.failure().text().contains("stage 3"), end.failure().text());
    }

    @Test
    @SuppressWarnings("serial") // its function uses a private field
    void tellsOfEndsThatCouldNotBeHandedOverWhileALongTaskRan() {
        EventLoop loop = SIMULATION.process("executor").loop("executor");
        MapFunction<Integer, Integer> passingTime = number -> {
            SIMULATION.runFor(Duration.ofMillis(number == 1 ? 0 : 10)); // ends are pending while the third task runs
            return number;
        };
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Count(), tasks.step(Step.Map::new, passingTime)), numbers(3, 3), 3);
        List<String> happened = new ArrayList<>();
        int[] reports = {0};
        TaskServices services = new TaskServices(
                tasks.objects,
                true,
                tasks.calls,
                (task, value, subject) -> new TaskResult.Encoded(tasks.objects.write(value, subject)),
                tasks.calls,
                tasks.data,
                Optional.empty(),
                TestingTasks.attached(),
                TestingCores.clocks(loop),
                ReaperSettings.OFF,
                (code, reason) -> happened.add(code + ": " + reason),
                1);
        TaskRunner runner = new TaskRunner(getClass().getClassLoader(), 1, TestingCores.on(loop), services, ends -> {
            if (++reports[0] == 1) {
                throw new IllegalStateException("as if");
            }
            ends.forEach(end -> happened.add(end.outcome() + " " + end.task()));
        });
        LaunchBatch batch = new LaunchBatch(plan, 7, 0);
        for (int partition = 0; partition < 3; partition++) {
            batch.add(partition, partition, 0);
        }
        runner.define(plan);
        runner.launch(batch);
        assertTrue(happened.get(0).startsWith("UNCAUGHT: the ends of tasks could not be reported"), happened::toString);
        happened.remove(0);
        assertEquals(List.of("SUCCEEDED 0", "SUCCEEDED 1", "SUCCEEDED 2"), happened);
        runner.stop();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void reportsEveryTaskExactlyOnceWhoeverKillsIt(long seed) throws Exception {
        Random random = new Random(seed);
        MapFunction<Integer, Integer> spin = number -> {
            for (int i = 0; i < number * 50; i++) {
                Thread.onSpinWait();
            }
            return number;
        };
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Count(), tasks.step(Step.Map::new, spin)), numbers(40, 20), 20);
        int launched = 0;
        for (int round = 0; round < 100; round++) {
            long first = tasks.launch(plan);
            launched += plan.partitions();
            for (int kills = random.nextInt(20); kills > 0; kills--) {
                tasks.runner.kill(
                        first + random.nextInt(20),
                        random.nextBoolean() ? KillKind.INTERRUPT : KillKind.END,
                        "at random");
            }
        }
        Set<Long> ended = new HashSet<>();
        for (int i = 0; i < launched; i++) {
            TaskEnd end = tasks.next();
            assertTrue(ended.add(end.task()), () -> "reported twice: " + end);
            assertTrue(
                    Set.of(TaskOutcome.SUCCEEDED, TaskOutcome.KILLED, TaskOutcome.RECALLED)
                            .contains(end.outcome()),
                    end::toString);
        }
        assertEquals(launched, ended.size());
        assertTrue(tasks.ends.isEmpty());
    }
}
