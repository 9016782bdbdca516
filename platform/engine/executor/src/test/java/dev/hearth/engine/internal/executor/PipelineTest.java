package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks run every kind of source, step and sink. */
class PipelineTest {
    private static final int SHUFFLE = 4;

    private final TestingTasks tasks = new TestingTasks(2);

    @AfterEach
    void stop() {
        tasks.close();
    }

    private PartitionInputs slices(int partitions, Object... elements) {
        return ParallelizedElements.cut(elements, partitions, tasks.objects);
    }

    private PartitionInputs numbers(int count, int partitions) {
        return slices(partitions, IntStream.range(0, count).boxed().toArray());
    }

    private List<Object> through(Function<CapturedFunction, Step> step, Object function, Object... elements)
            throws InterruptedException {
        return tasks.collect(TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Collect(), tasks.step(step, function)), slices(2, elements), 2));
    }

    @Test
    void runsEveryKindOfStep() throws Exception {
        MapFunction<Integer, Integer> twice = number -> number * 2;
        assertEquals(List.of(2, 4, 6), through(Step.Map::new, twice, 1, 2, 3));
        FilterFunction<Integer> odd = number -> number % 2 == 1;
        assertEquals(List.of(1, 3), through(Step.Filter::new, odd, 1, 2, 3));
        FlatMapFunction<Integer, Integer> times =
                number -> java.util.Collections.nCopies(number, number).iterator();
        assertEquals(List.of(1, 3, 3, 3), through(Step.FlatMap::new, times, 1, 0, 3));
        PartitionFunction<Integer, Integer> sum = elements -> {
            int total = 0;
            while (elements.hasNext()) {
                total += elements.next();
            }
            return List.of(total).iterator();
        };
        assertEquals(List.of(1, 5), through(Step.MapPartitions::new, sum, 1, 2, 3));
        IndexedPartitionFunction<Integer, String> where = (partition, elements) ->
                Stream.of(partition + ":" + elements.next()).iterator();
        assertEquals(List.of("0:1", "1:2"), through(Step.MapPartitionsWithIndex::new, where, 1, 2, 3));
        assertEquals(
                List.of(Pair.of("a", 2), Pair.of("b", 4)),
                through(Step.MapValues::new, twice, Pair.of("a", 1), Pair.of("b", 2)));
    }

    @Test
    void takesNoMoreElementsThanItNeeds() throws Exception {
        MapFunction<Integer, Integer> fragile = number -> {
            if (number > 3) {
                throw new IllegalStateException("asked for " + number);
            }
            return number;
        };
        FilterFunction<Integer> all = number -> true;
        Sink take = new Sink.Take(3);
        Pipeline pipeline =
                TestingTasks.pipeline(take, tasks.step(Step.Map::new, fragile), tasks.step(Step.Filter::new, all));
        assertEquals(List.of(0, 1, 2), tasks.collect(TestingTasks.plan(pipeline, numbers(1_000, 1), 1)));
    }

    @Test
    void runsEveryKindOfSink() throws Exception {
        ReduceFunction<Integer> add = Integer::sum;
        StagePlan reduce =
                TestingTasks.plan(TestingTasks.pipeline(tasks.sink(Sink.Reduce::new, add)), slices(3, 1, 2), 3);
        assertEquals(List.of(1, 2), tasks.collect(reduce), "nothing of the empty partition");

        TaskFunction<Integer, String> describe = (task, elements) -> task.partition() + "/" + task.partitions() + " "
                + elements.next() + " " + task.localProperty("colour").orElse("none") + task.stage() + task.attempt();
        List<TaskEnd> described = tasks.run(
                TestingTasks.plan(TestingTasks.pipeline(tasks.sink(Sink.Evaluate::new, describe)), slices(2, 7, 8), 2));
        assertEquals(
                List.of("0/2 7 red70", "1/2 8 red70"),
                described.stream().map(tasks::value).toList());

        ActionFunction<Integer> check = number -> {
            if (number != 5) {
                throw new IllegalArgumentException("not five");
            }
        };
        TaskEnd each = tasks.run(TestingTasks.plan(
                        TestingTasks.pipeline(tasks.sink(Sink.Foreach::new, check)), slices(1, 5, 6), 1))
                .get(0);
        assertEquals(TaskOutcome.FAILED, each.outcome());
        assertEquals(IllegalArgumentException.class.getName(), each.failure().type());

        ActionFunction<Iterator<Integer>> drain = elements -> elements.forEachRemaining(number -> {});
        TaskEnd whole = tasks.run(TestingTasks.plan(
                        TestingTasks.pipeline(tasks.sink(Sink.ForeachPartition::new, drain)), numbers(9, 1), 1))
                .get(0);
        assertEquals(TaskOutcome.SUCCEEDED, whole.outcome());
        assertEquals(9, whole.metrics().recordsRead());
    }

    @Test
    void sharesImmutableResultsAndSerialisesOthers() throws Exception {
        Integer large = 123_456;
        StagePlan same = TestingTasks.plan(TestingTasks.pipeline(new Sink.Collect()), slices(1, large), 1);
        assertSame(large, ((Object[]) tasks.value(tasks.run(same).get(0)))[0]);
        MapFunction<Integer, int[]> array = number -> new int[] {number};
        StagePlan changing = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Collect(), tasks.step(Step.Map::new, array)), slices(1, 1), 1);
        assertInstanceOf(TaskResult.Encoded.class, tasks.run(changing).get(0).value());
    }

    @Test
    void givesEachAttemptItsOwnCopyOfCapturedObjects() throws Exception {
        List<Integer> seen = new ArrayList<>();
        MapFunction<Integer, Integer> remember = number -> {
            seen.add(number);
            return seen.size();
        };
        StagePlan plan = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Collect(), tasks.step(Step.Map::new, remember)), numbers(100, 100), 100);
        assertEquals(java.util.Collections.nCopies(100, 1), tasks.collect(plan));
        assertEquals(List.of(), seen);
        AtomicInteger counter = new AtomicInteger();
        PartitionInputs counters = slices(2, counter, counter);
        MapFunction<AtomicInteger, Integer> count = AtomicInteger::incrementAndGet;
        StagePlan counted = TestingTasks.plan(
                TestingTasks.pipeline(new Sink.Collect(), tasks.step(Step.Map::new, count)), counters, 2);
        assertEquals(List.of(1, 1), tasks.collect(counted));
        assertEquals(List.of(1, 1), tasks.collect(counted), "elements too are deserialised again");
    }

    @Test
    void groupsByKeyAcrossMapTasks() throws Exception {
        Sink sink = TestingTasks.shuffleWrite(SHUFFLE, 3);
        PartitionInputs pairs =
                slices(2, Pair.of("a", 1), Pair.of("b", 2), Pair.of(null, 3), Pair.of("a", 4), Pair.of(null, null));
        tasks.run(TestingTasks.plan(SHUFFLE, TestingTasks.pipeline(sink), pairs, 2, false));
        assertEquals(List.of(0, 1), tasks.data.shuffles().present(SHUFFLE));
        Pipeline grouped = new Pipeline(
                new ShuffleSource.Aggregated(SHUFFLE, new KeyAggregation.Group()),
                List.of(),
                new Sink.Collect(),
                Map.of());
        List<Object> result = tasks.collect(TestingTasks.plan(grouped, PartitionInputs.NONE, 3));
        Map<String, Object> byKey = new TreeMap<>();
        result.forEach(pair -> byKey.put(String.valueOf(((Pair<?, ?>) pair).key()), ((Pair<?, ?>) pair).value()));
        assertEquals(Map.of("a", List.of(1, 4), "b", List.of(2), "null", Arrays.asList(3, null)), byKey);
    }

    @Test
    void reducesByKeyOnBothSidesAndCopiesMutableRecords() throws Exception {
        ReduceFunction<int[]> add = (left, right) -> {
            left[0] += right[0];
            return left;
        };
        KeyAggregation reduce =
                new KeyAggregation.Reduce(CapturedFunction.of(add, tasks.objects, "function given to reduceByKey"));
        Sink sink = new Sink.ShuffleWrite(SHUFFLE, 2, CapturedFunction.NONE, Optional.of(reduce));
        Object[] pairs = IntStream.range(0, 100)
                .mapToObj(number -> Pair.of(number % 10, new int[] {1}))
                .toArray();
        List<TaskEnd> written =
                tasks.run(TestingTasks.plan(SHUFFLE, TestingTasks.pipeline(sink), slices(4, pairs), 4, false));
        assertEquals(
                40,
                written.stream()
                        .mapToLong(end -> end.metrics().shuffleWriteRecords())
                        .sum());
        Pipeline reduced = new Pipeline(
                new ShuffleSource.Aggregated(SHUFFLE, reduce),
                List.of(tasks.step(
                        Step.Map::new, (MapFunction<Pair<Integer, int[]>, Integer>) pair -> pair.value()[0])),
                new Sink.Collect(),
                Map.of());
        StagePlan read = TestingTasks.plan(reduced, PartitionInputs.NONE, 2);
        assertEquals(java.util.Collections.nCopies(10, 10), tasks.collect(read));
        assertEquals(
                java.util.Collections.nCopies(10, 10), tasks.collect(read), "what was read before changed nothing");
    }

    @Test
    void reportsMissingOutputAndHidesThatOfFailedTasks() throws Exception {
        ActionFunction<Integer> unused = number -> {};
        assertTrue(tasks.objects.unchangeable().isFunction(unused));
        MapFunction<Pair<Integer, Integer>, Pair<Integer, Integer>> fragile = pair -> {
            if (pair.key() == 3) {
                throw new IllegalStateException("three");
            }
            return pair;
        };
        Sink sink = TestingTasks.shuffleWrite(SHUFFLE, 2);
        PartitionInputs pairs = slices(4, Pair.of(0, 0), Pair.of(1, 1), Pair.of(2, 2), Pair.of(3, 3));
        tasks.run(TestingTasks.plan(
                SHUFFLE, TestingTasks.pipeline(sink, tasks.step(Step.Map::new, fragile)), pairs, 4, false));
        assertEquals(List.of(0, 1, 2), tasks.data.shuffles().present(SHUFFLE));
        Pipeline grouped = new Pipeline(
                new ShuffleSource.Aggregated(SHUFFLE, new KeyAggregation.Group()),
                List.of(),
                new Sink.Count(),
                Map.of());
        TaskEnd end =
                tasks.run(TestingTasks.plan(grouped, PartitionInputs.NONE, 1)).get(0);
        assertEquals(TaskOutcome.FETCH_FAILED, end.outcome());
        assertEquals(3, end.fetch().orElseThrow().map());
        tasks.data.shuffles().remove(SHUFFLE);
        TaskEnd gone =
                tasks.run(TestingTasks.plan(grouped, PartitionInputs.NONE, 1)).get(0);
        assertEquals(-1, gone.fetch().orElseThrow().map());
    }

    @Test
    @SuppressWarnings("serial") // its functions call a private method
    void explainsWhenAFunctionReturnsNoIterator() throws Exception {
        FlatMapFunction<Integer, Integer> nothing = number -> nowhere();
        PartitionFunction<Integer, Integer> none = elements -> nowhere();
        for (Step step : List.of(tasks.step(Step.FlatMap::new, nothing), tasks.step(Step.MapPartitions::new, none))) {
            TaskEnd end = tasks.run(TestingTasks.plan(
                            TestingTasks.pipeline(new Sink.Count(), step),
                            ParallelizedElements.cut(new Object[] {1}, 1, tasks.objects),
                            1))
                    .get(0);
            assertTrue(
                    end.failure().text().contains("returned null (expected: an iterator)"),
                    end.failure().text());
        }
    }

    @SuppressWarnings("NullAway") // the mistake under test
    private static Iterator<Integer> nowhere() {
        return null;
    }
}
