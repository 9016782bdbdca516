package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.ActionFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One core on the test's own thread, so that races that are rare on real threads happen every time. */
class TaskCoreTest {
    private static final List<Runnable> IN_TASK = new ArrayList<>(); // run by the next task

    private final UserObjectSerializer objects = new UserObjectSerializer(TaskCoreTest.class.getClassLoader());
    private final List<TaskEnd> ends = new ArrayList<>();
    private final List<String> fatalities = new ArrayList<>();
    private final List<TaskCore> cores = new ArrayList<>();
    private final List<Runnable> atClock = new ArrayList<>();
    private final TaskRunner runner = new TaskRunner(
            TaskCoreTest.class.getClassLoader(),
            1,
            (application, given) -> {
                cores.addAll(given);
                return new ByHand();
            },
            new TaskServices(
                    objects,
                    true,
                    new TestingCalls(),
                    (task, value, subject) -> new TaskResult.Encoded(objects.write(value, subject)),
                    new TestingCalls(),
                    TestingTasks.data(objects),
                    Optional.empty(),
                    TestingTasks.attached(),
                    new Clocks(),
                    ReaperSettings.OFF,
                    (code, reason) -> fatalities.add(reason),
                    1),
            ends::addAll);

    /** Cores driven by the test. */
    private static final class ByHand implements Cores {
        @Override
        public void wake(int tasks) {}

        @Override
        public void add(TaskCore core) {}

        @Override
        public void after(Duration delay, Runnable action) {}

        @Override
        public void stop() {}
    }

    /** Clocks that run an action of the test once, when they are next read. */
    private final class Clocks implements TaskClocks {
        @Override
        public long nanos() {
            if (!atClock.isEmpty()) {
                atClock.remove(0).run();
            }
            return 0;
        }

        @Override
        public long cpuNanos() {
            return 0;
        }

        @Override
        public long collectionNanos() {
            return 0;
        }
    }

    @SuppressWarnings("serial") // its function uses a private field
    private void launch(int tasks) {
        IN_TASK.clear();
        ActionFunction<Integer> function = number -> {
            while (!IN_TASK.isEmpty()) {
                IN_TASK.remove(0).run();
            }
        };
        Object[] numbers = new Object[tasks];
        for (int i = 0; i < tasks; i++) {
            numbers[i] = i;
        }
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Foreach(CapturedFunction.of(function, objects, "function"))),
                ParallelizedElements.cut(numbers, tasks, objects),
                tasks);
        LaunchBatch batch = new LaunchBatch(plan, 1, 0);
        for (int partition = 0; partition < tasks; partition++) {
            batch.add(partition, partition, 0);
        }
        runner.define(plan);
        runner.launch(batch);
    }

    private List<TaskOutcome> outcomes() {
        return ends.stream().map(TaskEnd::outcome).toList();
    }

    @Test
    void takesNoTaskOnceItsAttemptIsAbandoned() {
        TaskCore core = cores.get(0);
        launch(2);
        IN_TASK.add(() -> {
            TaskAttempt given = core.current();
            assertTrue(given != null && given.abandon(), "as the reaper does first");
        });
        assertTrue(core.runNext());
        assertFalse(core.runNext(), "another core takes the rest before the reaper's next step");
        assertTrue(core.isRetired());
        assertEquals(List.of(), outcomes());
        assertTrue(core.hasWork());
    }

    @Test
    void failsATaskForLackOfMemoryAndGoesOn() {
        TaskCore core = cores.get(0);
        launch(2);
        atClock.add(() -> {
            throw new OutOfMemoryError("for the test");
        });
        assertThrows(OutOfMemoryError.class, core::runNext);
        while (core.runNext()) {
            // until nothing is left
        }
        assertEquals(List.of(TaskOutcome.FAILED, TaskOutcome.SUCCEEDED), outcomes());
        assertEquals(0, ends.get(0).task());
        assertTrue(
                ends.get(0).failure().text().contains("memory"),
                ends.get(0).failure().text());
    }

    @Test
    void reportsATaskOnceThatIsRecalledWhileMemoryIsShort() {
        TaskCore core = cores.get(0);
        launch(2);
        atClock.add(() -> {
            runner.kill(0, KillKind.END, "not wanted");
            throw new OutOfMemoryError("for the test");
        });
        assertThrows(OutOfMemoryError.class, core::runNext);
        while (core.runNext()) {
            // until nothing is left
        }
        assertEquals(List.of(TaskOutcome.RECALLED, TaskOutcome.SUCCEEDED), outcomes());
    }

    @Test
    void beginsNoTaskOnceItsExecutorIsStopped() {
        TaskCore core = cores.get(0);
        launch(1);
        List<String> ran = new ArrayList<>();
        IN_TASK.add(() -> ran.add("a task that nobody can end any more"));
        atClock.add(runner::stop); // after the task was taken, before another thread can find it
        assertFalse(core.runNext());
        assertEquals(List.of(), ran);
    }
}
