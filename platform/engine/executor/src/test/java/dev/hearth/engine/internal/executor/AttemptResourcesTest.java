package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attempts release their memory and files, however they end. */
@Timeout(60)
public class AttemptResourcesTest {
    private static final int SHUFFLE = 2;
    public static final int NUMBERS = 50_000; // used by functions

    private final TestingTasks tasks = new TestingTasks(1);

    @AfterEach
    void close() {
        tasks.close();
    }

    private StagePlan writing(MapFunction<Integer, Pair<Integer, byte[]>> function) {
        Sink sink = TestingTasks.shuffleWrite(SHUFFLE, 4);
        Object[] numbers = IntStream.range(0, NUMBERS).boxed().toArray();
        PartitionInputs input = partition -> new TaskInput.Shared(numbers);
        return TestingTasks.plan(
                SHUFFLE, TestingTasks.pipeline(sink, tasks.step(Step.Map::new, function)), input, 1, false);
    }

    private void assertNothingIsHeld() {
        assertEquals(0, tasks.data.memory().executionUsed());
        assertEquals(0, tasks.data.memory().storageUsed());
        assertEquals(0, tasks.data.files().bytes());
    }

    @Test
    void measuresASuccessfulAttemptAndPublishesItsOutput() throws Exception {
        TaskEnd end =
                tasks.run(writing(number -> Pair.of(number, new byte[100]))).get(0);
        assertEquals(TaskOutcome.SUCCEEDED, end.outcome());
        assertEquals(NUMBERS, end.metrics().shuffleWriteRecords());
        assertTrue(end.metrics().shuffleWriteBytes() > NUMBERS * 100L);
        assertTrue(end.metrics().peakMemoryBytes() >= end.metrics().shuffleWriteBytes());
        assertEquals(0, end.metrics().memorySpilledBytes());
        assertEquals(0, tasks.data.memory().executionUsed());
        assertTrue(tasks.data.memory().storageUsed() >= end.metrics().shuffleWriteBytes());
        Pipeline pairs = new Pipeline(new ShuffleSource.Pairs(SHUFFLE), List.of(), new Sink.Count(), Map.of());
        List<TaskEnd> read = tasks.run(TestingTasks.plan(pairs, PartitionInputs.NONE, 4));
        assertEquals(
                NUMBERS,
                read.stream().mapToLong(each -> (Long) tasks.value(each)).sum());
        assertEquals(
                NUMBERS,
                read.stream()
                        .mapToLong(each -> each.metrics().shuffleReadRecords())
                        .sum());
        assertEquals(
                end.metrics().shuffleWriteBytes(),
                read.stream()
                        .mapToLong(each -> each.metrics().shuffleReadBytes())
                        .sum());
        tasks.data.shuffles().remove(SHUFFLE);
        assertNothingIsHeld();
    }

    @Test
    void countsTheSizeOfSharedObjects() throws Exception {
        Sink sink = TestingTasks.shuffleWrite(SHUFFLE, 4);
        Object[] words = IntStream.range(0, 1_000)
                .mapToObj(number -> Pair.of("a word of some length, the " + number, 1))
                .toArray();
        TaskEnd end = tasks.run(TestingTasks.plan(
                        SHUFFLE, TestingTasks.pipeline(sink), partition -> new TaskInput.Shared(words), 1, false))
                .get(0);
        assertTrue(
                end.metrics().shuffleWriteBytes() > 1_000 * 60L,
                "bytes " + end.metrics().shuffleWriteBytes());
        assertTrue(
                end.metrics().shuffleWriteBytes() < 1_000 * 140L,
                "bytes " + end.metrics().shuffleWriteBytes());
        tasks.data.shuffles().remove(SHUFFLE);
        assertNothingIsHeld();
    }

    @Test
    void discardsTheOutputOfAFailedAttempt() throws Exception {
        TaskEnd end = tasks.run(writing(number -> {
                    if (number == NUMBERS - 1) {
                        throw new IllegalStateException("last");
                    }
                    return Pair.of(number, new byte[100]);
                }))
                .get(0);
        assertEquals(TaskOutcome.FAILED, end.outcome());
        assertTrue(end.metrics().peakMemoryBytes() > 0);
        assertNothingIsHeld();
    }

    @Test
    void discardsTheOutputOfAKilledAttempt() throws Exception {
        long task = tasks.launch(writing(number -> {
            if (number == NUMBERS - 1) {
                Gate.open("almost written");
                Gate.await("never opened");
            }
            return Pair.of(number, new byte[100]);
        }));
        Gate.await("almost written");
        assertTrue(tasks.data.memory().executionUsed() > 0);
        tasks.runner.kill(task, KillKind.INTERRUPT, "enough");
        assertEquals(TaskOutcome.KILLED, tasks.next().outcome());
        assertNothingIsHeld();
    }

    /** Counts elements, and takes any failure for the end of the iterator. Used by functions. */
    public static Iterator<Object> countOf(Iterator<Object> elements) {
        long count = 0;
        try {
            while (elements.hasNext()) {
                elements.next();
                count++;
            }
        } catch (Exception swallowed) {
            count++;
        }
        return List.<Object>of(count).iterator();
    }

    @Test
    void failsEvenIfAStepSwallowsAFailedRead() throws Exception {
        tasks.run(writing(number -> Pair.of(number, new byte[100])));
        tasks.data.shuffles().evict(Long.MAX_VALUE);
        tasks.data.files().close();
        PartitionFunction<Object, Object> counting = AttemptResourcesTest::countOf;
        Pipeline pairs = new Pipeline(
                new ShuffleSource.Pairs(SHUFFLE),
                List.of(tasks.step(Step.MapPartitions::new, counting)),
                new Sink.Collect(),
                Map.of());
        TaskEnd end =
                tasks.run(TestingTasks.plan(pairs, PartitionInputs.NONE, 1)).get(0);
        assertEquals(TaskOutcome.FETCH_FAILED, end.outcome(), () -> "value " + end);
        assertEquals(SHUFFLE, end.fetch().orElseThrow().shuffle());
    }

    @Test
    void failsEvenIfAnActionSwallowsAFailedRead() throws Exception {
        tasks.run(writing(number -> Pair.of(number, new byte[100])));
        tasks.data.shuffles().evict(Long.MAX_VALUE);
        tasks.data.files().close();
        ActionFunction<Iterator<Object>> counting = AttemptResourcesTest::countOf;
        Pipeline pairs = new Pipeline(
                new ShuffleSource.Pairs(SHUFFLE),
                List.of(),
                tasks.sink(Sink.ForeachPartition::new, counting),
                Map.of());
        TaskEnd end =
                tasks.run(TestingTasks.plan(pairs, PartitionInputs.NONE, 1)).get(0);
        assertEquals(TaskOutcome.FETCH_FAILED, end.outcome(), () -> "value " + end);
    }

    private long runBarrier(int stageAttempt) throws InterruptedException {
        Sink sink = TestingTasks.shuffleWrite(SHUFFLE, 1);
        PartitionInputs input = partition -> new TaskInput.Shared(new Object[] {Pair.of("attempt", stageAttempt)});
        StagePlan plan = TestingTasks.plan(SHUFFLE, TestingTasks.pipeline(sink), input, 1, true);
        LaunchBatch batch = new LaunchBatch(plan, 3, stageAttempt);
        batch.add(100 + stageAttempt, 0, 0);
        tasks.runner.define(plan);
        tasks.runner.launch(batch);
        assertEquals(TaskOutcome.SUCCEEDED, tasks.next().outcome());
        return tasks.data.memory().storageUsed();
    }

    @Test
    void readsTheOutputOfTheLastAttemptOfABarrierStage() throws Exception {
        long kept = runBarrier(0);
        assertEquals(kept, runBarrier(2), "the first is freed");
        assertEquals(kept, runBarrier(1), "late publication by an abandoned attempt");
        Pipeline pairs = new Pipeline(new ShuffleSource.Pairs(SHUFFLE), List.of(), new Sink.Collect(), Map.of());
        assertEquals(List.of(Pair.of("attempt", 2)), tasks.collect(TestingTasks.plan(pairs, PartitionInputs.NONE, 1)));
        tasks.data.shuffles().remove(SHUFFLE);
        assertNothingIsHeld();
    }

    @Test
    void allocatesNothingForTasksThatNeedNothing() throws Exception {
        Pipeline counting = TestingTasks.pipeline(new Sink.Count());
        TaskEnd end =
                tasks.run(TestingTasks.plan(counting, PartitionInputs.NONE, 1)).get(0);
        assertEquals(0, end.metrics().peakMemoryBytes());
        assertNothingIsHeld();
    }
}
