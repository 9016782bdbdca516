package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.ActionFunction;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.spi.error.ExitCode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Killed tasks that do not end. */
class TaskReaperTest {
    private static final ReaperSettings QUICK =
            new ReaperSettings(true, Duration.ofMillis(20), true, Optional.of(Duration.ofMillis(60)));

    @Test
    void abandonsTheThreadInTheDriversProcessAndReplacesIt() throws Exception {
        try (TestingTasks tasks = new TestingTasks(1, true, QUICK)) {
            ActionFunction<Integer> stubborn = number -> {
                Gate.open("stubborn runs");
                Gate.awaitStubbornly("stubborn may end");
            };
            long task = tasks.launch(plan(tasks, stubborn));
            Gate.await("stubborn runs");
            tasks.runner.kill(task, KillKind.INTERRUPT, "cancelled");
            TaskEnd end = tasks.next();
            assertEquals(TaskOutcome.KILLED, end.outcome());
            assertTrue(
                    end.failure().text().contains("its thread is abandoned"),
                    end.failure().text());
            ActionFunction<Integer> easy = number -> {};
            assertEquals(
                    TaskOutcome.SUCCEEDED, tasks.run(plan(tasks, easy)).get(0).outcome(), "its core is not lost");
            Gate.open("stubborn may end");
            assertEquals(
                    TaskOutcome.SUCCEEDED, tasks.run(plan(tasks, easy)).get(0).outcome());
            assertTrue(tasks.ends.isEmpty(), "an abandoned attempt is not reported again");
        }
    }

    @Test
    void endsAnExecutorInAProcessOfItsOwn() throws Exception {
        try (TestingTasks tasks = new TestingTasks(1, false, QUICK)) {
            ActionFunction<Integer> stubborn = number -> {
                Gate.open("remote runs");
                Gate.awaitStubbornly("remote may end");
            };
            long task = tasks.launch(plan(tasks, stubborn));
            Gate.await("remote runs");
            tasks.runner.kill(task, KillKind.INTERRUPT, "cancelled");
            assertEquals(ExitCode.FAILED, tasks.fatalities.poll(30, TimeUnit.SECONDS));
            Gate.open("remote may end");
            assertEquals(TaskOutcome.KILLED, tasks.next().outcome());
        }
    }

    @Test
    void reportsEndsThatAreBatchedBehindALongTask() throws Exception {
        try (TestingTasks tasks = new TestingTasks(1)) {
            ActionFunction<Integer> second = number -> {
                if (number == 1) {
                    Gate.await("behind");
                }
            };
            tasks.launch(TestingTasks.plan(
                    TestingTasks.pipeline(tasks.sink(Sink.Foreach::new, second)),
                    ParallelizedElements.cut(new Object[] {0, 1}, 2, tasks.objects),
                    2));
            assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
            Gate.open("behind");
            assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
        }
    }

    private static StagePlan plan(TestingTasks tasks, ActionFunction<Integer> function) {
        return TestingTasks.plan(
                TestingTasks.pipeline(tasks.sink(Sink.Foreach::new, function)),
                ParallelizedElements.cut(new Object[] {1}, 1, tasks.objects),
                1);
    }
}
