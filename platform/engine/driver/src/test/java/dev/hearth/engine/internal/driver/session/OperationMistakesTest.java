package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Command;
import dev.hearth.api.DoubleRdd;
import dev.hearth.api.Estimate;
import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.PairRdd;
import dev.hearth.api.PartialResult;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.TaskContext;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** Tests that invalid arguments are refused with the name of the operation, the value and the expectation. */
@Timeout(120)
class OperationMistakesTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();
    private final Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4), 2);
    private final PairRdd<Integer, Integer> pairs = numbers.keyBy(number -> number % 2);
    private final DoubleRdd doubles = numbers.mapToDouble(number -> number);

    private static void refused(String code, String begin, Executable call) {
        HearthException refused = assertThrows(HearthException.class, call);
        assertEquals(code, refused.code(), refused::getMessage);
        assertTrue(String.valueOf(refused.getMessage()).startsWith(begin), refused::getMessage);
        assertTrue(String.valueOf(refused.getMessage()).contains("(expected: "), refused::getMessage);
    }

    private static void wrong(String begin, Executable call) {
        refused("BAD_ARGUMENT", begin, call);
    }

    @Test
    void numbersOfPartitions() {
        wrong("coalesce: 0 partitions", () -> numbers.coalesce(0));
        wrong("repartition: -1 partitions", () -> numbers.repartition(-1));
        wrong("distinct: 0 partitions", () -> numbers.distinct(0));
        wrong("intersection: 0 partitions", () -> numbers.intersection(numbers, 0));
        wrong("subtract: 0 partitions", () -> numbers.subtract(numbers, 0));
        wrong("groupBy: 0 partitions", () -> numbers.groupBy(number -> number, 0));
        wrong("sortBy: 0 partitions", () -> numbers.sortBy(number -> number, true, 0));
        wrong("reduceByKey: 0 partitions", () -> pairs.reduceByKey(Integer::sum, 0));
        wrong("groupByKey: 0 partitions", () -> pairs.groupByKey(0));
        wrong("join: 0 partitions", () -> pairs.join(pairs, 0));
        wrong("cogroup: -3 partitions", () -> pairs.cogroup(pairs, pairs, -3));
        wrong("sortByKey: 0 partitions", () -> pairs.sortByKey(true, 0));
        wrong("partitioner: 0 partitions", () -> new HashPartitioner(0));
        wrong("partitionBy: 0 partitions", () -> pairs.partitionBy(new RandomDataset.Remainders(0)));
        wrong("range: 0 partitions", () -> context.range(0, 1, 1, 0));
        wrong("range: step 0", () -> context.range(0, 1, 0, 1));
        wrong("pick: partition 2", () -> numbers.pick(List.of(0, 2)));
        wrong("collectPartitions: partition -1", () -> numbers.collectPartitions(-1));
        wrong("zip: 2 partitions in this dataset, 3 in the other", () -> numbers.zip(numbers.repartition(3)));
        wrong(
                "zipPartitions: 2 partitions in this dataset",
                () -> numbers.zipPartitions(numbers.coalesce(1), (left, right) -> left));
    }

    @Test
    void fractionsAndCounts() {
        wrong("sample: fraction -0.1", () -> numbers.sample(false, -0.1));
        wrong("sample: fraction 1.5", () -> numbers.sample(false, 1.5));
        wrong("sample: fraction NaN", () -> numbers.sample(true, Double.NaN));
        wrong("sampleByKey of key 1: fraction 2.0", () -> pairs.sampleByKey(false, Map.of(1, 2.0)));
        wrong("sampleByKeyExact of key 1: fraction -1.0", () -> pairs.sampleByKeyExact(true, Map.of(1, -1.0)));
        wrong("randomSplit: weight -1.0", () -> numbers.randomSplit(1, -1));
        wrong("randomSplit: no weight above 0", () -> numbers.randomSplit(0, 0));
        wrong("take: -1 elements", () -> numbers.take(-1));
        wrong("takeAsync: -1 elements", () -> numbers.takeAsync(-1));
        wrong("takeSample: -1 elements", () -> numbers.takeSample(false, -1));
        wrong("top: -1 elements", () -> numbers.top(-1));
        wrong("takeOrdered: -1 elements", () -> numbers.takeOrdered(-1));
        wrong("treeReduce: depth 0", () -> numbers.treeReduce(Integer::sum, 0));
        wrong("countApprox: confidence 1.0", () -> numbers.countApprox(Duration.ofSeconds(1), 1));
        wrong("countApprox: timeout PT-1S", () -> numbers.countApprox(Duration.ofSeconds(-1)));
        wrong("countApproxDistinct: relative error 0.0", () -> numbers.countApproxDistinct(0));
        wrong("histogram: 1 bounds", () -> doubles.histogram(1.0));
        wrong("histogram: bound 1.0 after 1.0", () -> doubles.histogram(1.0, 1.0));
        wrong("histogram: 0 ranges", () -> doubles.histogram(0));
        wrong("pipe: no command", () -> numbers.pipe(" "));
        wrong("pipe: charset 'none'", () -> Command.of("cat").withCharset("none"));
    }

    @Test
    void emptyDatasets() {
        Rdd<Integer> none = numbers.filter(number -> false);
        refused("EMPTY_DATASET", "reduce: ", () -> none.reduce(Integer::sum));
        refused("EMPTY_DATASET", "treeReduce: ", () -> none.treeReduce(Integer::sum));
        refused("EMPTY_DATASET", "first: ", none::first);
        refused("EMPTY_DATASET", "min: ", () -> none.min(Comparator.naturalOrder()));
        refused("EMPTY_DATASET", "max: ", () -> none.max(Comparator.naturalOrder()));
        refused(
                "EMPTY_DATASET",
                "histogram: ",
                () -> none.mapToDouble(number -> number).histogram(3));
    }

    @Test
    void datasetsOfOtherContexts() {
        try (HearthContext other = new LocalContext().open()) {
            Rdd<Integer> live = other.parallelize(List.of(1), 2);
            wrong("union: dataset ", () -> numbers.union(live));
            wrong("zip: dataset ", () -> numbers.zip(live));
            wrong("cartesian: dataset ", () -> numbers.cartesian(live));
            wrong("join: dataset ", () -> pairs.join(live.keyBy(number -> number)));
            wrong("cogroup: dataset ", () -> pairs.cogroup(pairs, live.keyBy(number -> number)));
        }
    }

    @Test
    void failuresInTasksNameTheOperation() {
        refused(
                "TASK_FAILED",
                "task for partition",
                () -> numbers.zip(numbers.flatMap(
                                number -> List.of(number, number).iterator()))
                        .count());
        HearthException status = assertThrows(
                HearthException.class,
                () -> numbers.pipe(List.of("sh", "-c", "echo why >&2; exit 3")).count());
        assertTrue(
                String.valueOf(status.getMessage())
                        .contains("ended with status 3 (expected: 0); the last lines of its standard error: why"),
                status::getMessage);
        HearthException missing = assertThrows(
                HearthException.class,
                () -> numbers.pipe("no-such-program-anywhere").count());
        assertTrue(
                String.valueOf(missing.getMessage()).contains("pipe: no-such-program-anywhere cannot be started"),
                missing::getMessage);
        refused(
                "TASK_FAILED",
                "task for partition",
                () -> pairs.partitionBy(new Elsewhere(2)).count());
    }

    /** Returns partition numbers that do not exist. */
    private record Elsewhere(int partitions) implements Partitioner {
        @Override
        public int partition(Object key) {
            return partitions + 5;
        }
    }

    @Test
    void functionsThatCannotBeSerialisedAreRefusedAtTheCall() {
        Object local = new Object();
        HearthException refused =
                assertThrows(HearthException.class, () -> numbers.sortBy(number -> local.hashCode() + number));
        assertTrue(String.valueOf(refused.getMessage()).contains("function given to sortBy"), refused::getMessage);
        assertThrows(
                HearthException.class, () -> numbers.aggregate(0, (sum, n) -> sum + local.hashCode(), Integer::sum));
    }

    @Test
    void pipesEndWithTheirTasks() throws InterruptedException, ExecutionException {
        CountDownLatch started = new CountDownLatch(1);
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.TaskStarted) {
                started.countDown();
            }
        });
        JobFuture<Long> job = numbers.pipe(List.of("sleep", "1000")).countAsync();
        assertTrue(started.await(60, TimeUnit.SECONDS));
        assertTrue(job.cancel(true));
        assertEquals(4, numbers.count(), "the cores are free again");
        assertEquals(
                List.of("HEADER", "x1", "x2"),
                numbers.pick(List.of(0))
                        .pipe(
                                Command.of("sh", "-c", "tr a-z A-Z | sed s/N/x/")
                                        .withHeader(List.of("header"))
                                        .inOwnDirectory(),
                                (number, lines) -> lines.accept("n" + number))
                        .collect());
        assertEquals(
                List.of("value 0", "value 1"),
                numbers.pipe(
                                List.of("sh", "-c", "cat >/dev/null; echo $KIND $HEARTH_PARTITION"),
                                Map.of("KIND", "value"))
                        .collect());
    }

    @Test
    void partialEstimatesAreMarked() {
        Rdd<Integer> slow = context.parallelize(List.of(1, 2, 3, 4), 4).mapPartitionsWithIndex((part, elements) -> {
            while (part == 3 && !TaskContext.current().isInterrupted()) {
                Thread.onSpinWait();
            }
            return elements;
        });
        PartialResult<Estimate> partial = slow.countApprox(Duration.ofMillis(500), 0.9);
        assertFalse(partial.isFinal());
        assertTrue(partial.initial().low() <= partial.initial().mean());
        assertTrue(partial.initial().high() >= partial.initial().mean());
        context.cancelAllJobs("enough");
        assertThrows(HearthException.class, partial::last);
    }
}
