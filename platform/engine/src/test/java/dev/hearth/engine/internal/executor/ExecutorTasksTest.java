package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.plan.ActionKind;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.Outcome;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskUpdate;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Define;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Launch;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Bytes;
import dev.hearth.testkit.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks run at once here, on the loop; what is checked is what is reported of them. */
class ExecutorTasksTest {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final int VALUE_BYTES = 600_000;

    private final Simulation simulation = new Simulation(1);
    private final EventLoop loop = simulation.process("executor").loop("executor");
    private final UserObjects objects = new UserObjects(ExecutorTasksTest.class.getClassLoader());
    private final List<List<TaskUpdate>> reports = new ArrayList<>();

    @Test
    void reportsATaskWhoseExceptionCannotBeDescribed() {
        TaskUpdate update = run(MessageBounds.NONE, 1, number -> {
                    throw new Unspeakable();
                })
                .get(0)
                .get(0);
        assertEquals(Outcome.FAILED, update.outcome());
        assertTrue(
                update.failure().text().startsWith(Unspeakable.class.getName()),
                update.failure().text());
    }

    @Test
    void failsATaskWhoseResultNoMessageCanCarry() {
        TaskUpdate update = run(MEBIBYTE, 1, bytes(MEBIBYTE)).get(0).get(0);
        assertEquals(Outcome.FAILED, update.outcome());
        assertTrue(
                update.failure().text().contains("hearth.rpc.message.maxSize"),
                update.failure().text());
    }

    @Test
    void splitsItsReportsByTheBoundOnMessages() {
        List<List<TaskUpdate>> split = run(MEBIBYTE, 4, bytes(VALUE_BYTES));
        assertEquals(List.of(1, 1, 1, 1), split.stream().map(List::size).toList());
    }

    @Test
    void gathersWhatEndsTogether() {
        List<List<TaskUpdate>> gathered = run(MEBIBYTE, 4, number -> number);
        assertEquals(List.of(4), gathered.stream().map(List::size).toList());
    }

    @Test
    void failsATaskWhoseTemplateItNeverGot() {
        ExecutorTasks tasks = tasks(MessageBounds.NONE);
        loop.execute(() -> tasks.launch(new Launch(new TemplateId(1, 2), launches(1))));
        simulation.run();
        assertEquals(Outcome.FAILED, reports.get(0).get(0).outcome());
    }

    private List<List<TaskUpdate>> run(int messageBytesMax, int count, MapFunction<Integer, Object> function) {
        StageTemplate template = new StageTemplate(
                List.of(new Step(StepKind.MAP, objects.write(function, "function"))), ActionKind.COLLECT, Bytes.EMPTY);
        TemplateId id = TemplateId.of(template);
        ExecutorTasks tasks = tasks(messageBytesMax);
        loop.execute(() -> {
            tasks.define(new Define(id, template));
            tasks.launch(new Launch(id, launches(count)));
        });
        simulation.run();
        return reports;
    }

    private static MapFunction<Integer, Object> bytes(int count) {
        return number -> new byte[count];
    }

    private ExecutorTasks tasks(int messageBytesMax) {
        TaskThreads atOnce = new TaskThreads() {
            @Override
            public void start(long task, Runnable body) {
                body.run();
            }

            @Override
            public void interrupt(long task) {}

            @Override
            public void stop() {}
        };
        return new ExecutorTasks(objects, atOnce, loop, reports::add, messageBytesMax);
    }

    private List<TaskLaunch> launches(int count) {
        return IntStream.range(0, count)
                .mapToObj(task -> new TaskLaunch(task, task, 0, objects.write(new Object[] {task}, "input")))
                .toList();
    }

    /** An exception whose own code throws. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("not even this");
        }
    }
}
