package dev.hearth.engine.internal.executor;

import static dev.hearth.engine.internal.protocol.MessageBounds.ENVELOPE_BYTES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Broadcast;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.Elements;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.api.task.TaskContext;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.protocol.EndMessages;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The context of a task, as its code uses it. */
class TaskAttemptTest {
    private final TestingTasks tasks = new TestingTasks(1);

    @AfterEach
    void stop() {
        tasks.close();
    }

    private TaskEnd run(TaskFunction<Integer, Object> function) throws InterruptedException {
        return tasks.run(plan(function, false)).get(0);
    }

    private StagePlan plan(TaskFunction<Integer, Object> function, boolean barrier) {
        return TestingTasks.plan(
                StagePlan.RESULT,
                TestingTasks.pipeline(tasks.sink(Sink.Evaluate::new, function)),
                ParallelizedElements.cut(new Object[] {1, 2, 3}, 1, tasks.objects),
                1,
                barrier);
    }

    @Test
    void addsToAccumulatorsOfItsOwnAndDropsEmptyOnes() throws Exception {
        Accumulator<Long, Long> sum = new Accumulator<>(1, "sum", new LongSum());
        Accumulator<Long, Long> untouched = new Accumulator<>(2, "untouched", new LongSum());
        Accumulator<int[], List<int[]>> arrays = new Accumulator<>(3, "arrays", new Elements<>());
        TaskEnd end = run((task, elements) -> {
            elements.forEachRemaining(number -> sum.add((long) number));
            arrays.add(new int[] {7});
            return untouched.name();
        });
        assertEquals(
                List.of(1L, 3L),
                end.accumulated().stream().map(AccumulatorUpdate::accumulator).toList());
        LongSum part = (LongSum) ((TaskResult.Shared) end.accumulated().get(0).part()).value();
        assertEquals(6L, part == null ? -1L : part.value());
        assertInstanceOf(TaskResult.Encoded.class, end.accumulated().get(1).part());
        assertEquals(0L, sum.value(), "counted by the driver, not by the task");
    }

    @Test
    void addsNothingWhenItFails() throws Exception {
        Accumulator<Long, Long> sum = new Accumulator<>(1, "sum", new LongSum());
        TaskEnd end = run((task, elements) -> {
            sum.add(5L);
            throw new IllegalStateException("after adding");
        });
        assertEquals(List.of(), end.accumulated());
    }

    @Test
    void readsBroadcastsByIdThroughADeserialisedHandle() throws Exception {
        tasks.calls.broadcasts.put(9L, "shared");
        List<Integer> makesItTravel = new ArrayList<>();
        Broadcast<String> broadcast = new Broadcast<>(9, new Broadcast.Source<>() {
            @Override
            public String value() {
                return "of the driver";
            }

            @Override
            public void destroy() {}
        });
        TaskEnd end = run((task, elements) -> broadcast.value() + makesItTravel);
        assertEquals("shared[]", tasks.value(end));
    }

    @Test
    void callsListenersInReverseAndFailureListenersFirst() throws Exception {
        List<String> heard = Journal.of("listeners");
        TaskEnd end = run((task, elements) -> {
            task.onCompletion(ended -> Journal.of("listeners").add("first, completed " + ended.isCompleted()));
            task.onCompletion(ended -> Journal.of("listeners").add("second"));
            task.onFailure(failure -> Journal.of("listeners").add("failed: " + failure.getMessage()));
            throw new IllegalStateException("on purpose");
        });
        assertEquals(List.of("failed: on purpose", "second", "first, completed true"), heard);
        assertEquals(TaskOutcome.FAILED, end.outcome());
    }

    @Test
    void failsWhenAListenerThrowsButCallsTheOthers() throws Exception {
        List<String> heard = Journal.of("throwing");
        TaskEnd end = run((task, elements) -> {
            task.onCompletion(ended -> Journal.of("throwing").add("called"));
            task.onCompletion(ended -> {
                throw new IllegalStateException("in the listener");
            });
            return 1;
        });
        assertEquals(List.of("called"), heard);
        assertEquals(TaskOutcome.FAILED, end.outcome());
        assertTrue(end.failure().text().contains("in the listener"));
    }

    @Test
    void isFoundOnItsThreadAndNowhereElse() throws Exception {
        TaskEnd end = run((task, elements) -> {
            boolean elsewhere = CompletableFuture.supplyAsync(
                            () -> TaskContext.find().isPresent())
                    .get();
            return (TaskContext.current() == task) + " " + elsewhere + " " + task.isInterrupted();
        });
        assertEquals("true false false", tasks.value(end));
        assertTrue(TaskContext.find().isEmpty());
    }

    @Test
    void endsAsDeniedWhenItMayNotCommit() throws Exception {
        TaskFunction<Integer, Object> publish = (task, elements) -> {
            if (!task.mayCommit()) {
                throw new IllegalStateException("another one publishes");
            }
            return "published";
        };
        StagePlan plan = plan(publish, false);
        tasks.launch(plan, 0);
        assertEquals("published", tasks.value(tasks.next()));
        tasks.launch(plan, 1);
        assertEquals(TaskOutcome.COMMIT_DENIED, tasks.next().outcome());
    }

    @Test
    void waitsAtABarrierForTheOtherTasks() throws Exception {
        TaskEnd end = tasks.run(plan(
                        (task, elements) -> {
                            BarrierTaskContext.current().barrier();
                            return BarrierTaskContext.current().allGather("hello") + " "
                                    + BarrierTaskContext.current()
                                            .addresses()
                                            .get(0)
                                            .host();
                        },
                        true))
                .get(0);
        assertEquals("[hello1] host", tasks.value(end));
        TaskEnd plain = run((task, elements) -> BarrierTaskContext.current());
        assertTrue(
                plain.failure().text().contains("not in a barrier stage"),
                plain.failure().text());
    }

    @Test
    void measuresItsWork() throws Exception {
        TaskEnd end = run((task, elements) -> {
            elements.forEachRemaining(number -> {});
            long spun = System.nanoTime();
            while (System.nanoTime() - spun < 2_000_000) {
                Thread.onSpinWait();
            }
            return "text";
        });
        TaskMetrics metrics = end.metrics();
        assertEquals(3, metrics.recordsRead());
        assertTrue(metrics.runNanos() >= 2_000_000, metrics.toString());
        assertTrue(
                metrics.cpuNanos() > 0
                        && metrics.cpuNanos()
                                <= metrics.runNanos() + metrics.deserializeNanos() + metrics.serializeResultNanos(),
                metrics.toString());
        assertTrue(metrics.resultBytes() > 0, metrics.toString());
    }

    @Test
    void failsWithAnyThrowableOfItsCode() throws Exception {
        assertTrue(run((task, elements) -> {
                    throw new java.io.IOException("checked");
                })
                .failure()
                .text()
                .contains("checked"));
        TaskEnd deep = run((task, elements) -> Gate.endless(1));
        assertEquals(StackOverflowError.class.getName(), deep.failure().type());
        assertTrue(tasks.fatalities.isEmpty(), "no reason to end the process");
        TaskEnd full = run((task, elements) -> {
            throw new OutOfMemoryError("as if");
        });
        assertEquals(TaskOutcome.FAILED, full.outcome());
        assertEquals(dev.hearth.spi.error.ExitCode.OUT_OF_MEMORY, tasks.fatalities.take());
        assertEquals("still here", tasks.value(run((task, elements) -> "still here")));
    }

    @Test
    void endsAtTheNextElementWhenKilledWithoutInterrupt() throws Exception {
        TaskFunction<Integer, Object> endless = (task, elements) -> {
            Gate.open("unwinds");
            while (!task.isInterrupted()) {
                Thread.onSpinWait();
            }
            assertFalse(Thread.currentThread().isInterrupted());
            return elements.next();
        };
        long task = tasks.launch(plan(endless, false));
        Gate.await("unwinds");
        tasks.runner.kill(task, KillKind.END, "no longer wanted");
        TaskEnd end = tasks.next();
        assertEquals(TaskOutcome.KILLED, end.outcome());
        assertEquals("no longer wanted", end.failure().text());
    }

    @Test
    void endsWhileItWaitsForAnAnswerWhenKilledWithoutInterrupt() throws Exception {
        tasks.calls.silent = true;
        TaskFunction<Integer, Object> waiting = (task, elements) -> {
            Gate.open("waits");
            return task.mayCommit();
        };
        long task = tasks.launch(plan(waiting, false));
        Gate.await("waits");
        tasks.runner.kill(task, KillKind.END, "no longer wanted");
        TaskEnd end = tasks.next();
        assertEquals(TaskOutcome.KILLED, end.outcome());
        assertEquals("no longer wanted", end.failure().text());
    }

    @Test
    void boundsTheDescriptionOfAnException() throws Exception {
        TaskEnd end = run((task, elements) -> {
            IllegalStateException endless = new IllegalStateException("m".repeat(1_000_000));
            StackTraceElement[] frames = new StackTraceElement[1_000];
            Arrays.fill(frames, new StackTraceElement("user.Code", "f".repeat(1_000_000), "Code.java", 1));
            endless.setStackTrace(frames);
            throw endless;
        });
        long chars = end.failure().text().length()
                + end.failure().frames().stream()
                        .mapToLong(frame -> frame.toString().length())
                        .sum();
        assertTrue(chars < 100_000, () -> chars + " characters");
        long most = EndMessages.messages(new ExecutorId("1"), List.of(end), tasks.objects, 2 * ENVELOPE_BYTES).stream()
                .flatMap(message -> message.ends().stream())
                .mapToLong(message -> message.failure().frames().size())
                .max()
                .orElse(0);
        assertEquals(50, most, "they travel");
    }

    @Test
    void callsListenersThatListenersAdd() throws Exception {
        List<String> heard = Journal.of("added");
        TaskEnd end = run((task, elements) -> {
            task.onCompletion(ended -> Journal.of("added").add("first"));
            task.onCompletion(
                    ended -> ended.onCompletion(again -> Journal.of("added").add("by a listener")));
            return 1;
        });
        assertEquals(List.of("by a listener", "first"), heard);
        assertEquals(TaskOutcome.SUCCEEDED, end.outcome());
    }

    @Test
    @SuppressWarnings("serial") // its function calls a private method
    void collectsNullsToo() throws Exception {
        Accumulator<Object, List<Object>> all = new Accumulator<>(1, "all", new Elements<>());
        TaskEnd end = run((task, elements) -> {
            all.add(noValue());
            return 1;
        });
        assertEquals(TaskOutcome.SUCCEEDED, end.outcome(), end.failure()::text);
    }

    @SuppressWarnings("NullAway") // a mistake of programs
    private static Object noValue() {
        return null;
    }
}
