package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.DoubleRdd;
import dev.hearth.api.Estimate;
import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.PartialResult;
import dev.hearth.api.Rdd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests overloads of operations, and approximate results up to their end. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class OverloadsTest {
    private static volatile CountDownLatch begun = new CountDownLatch(1);
    private static volatile CountDownLatch going = new CountDownLatch(1);

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    private final PairRdd<String, Integer> counts =
            context.parallelizePairs(List.of(Pair.of("a", 1), Pair.of("b", 2), Pair.of("a", 3)), 2);
    private final DoubleRdd halves = context.parallelizeDoubles(List.of(0.5, 1.5, 2.5), 2);

    @Test
    void unionsKeepTheirType() {
        PairRdd<String, Integer> two = context.union(counts, counts);
        assertEquals(Map.of("a", 8, "b", 4), two.reduceByKey(Integer::sum).collectAsMap());
        PairRdd<String, Integer> three = context.union(counts, counts, counts);
        assertEquals(Map.of("a", 12, "b", 6), three.reduceByKey(Integer::sum).collectAsMap());
        PairRdd<String, Integer> four = context.unionPairs(List.of(counts, counts, counts, counts));
        assertEquals(Map.of("a", 16, "b", 8), four.reduceByKey(Integer::sum).collectAsMap());
        DoubleRdd doubles = context.union(halves, halves);
        assertEquals(9, doubles.sum());
        assertEquals(13.5, context.union(halves, halves, halves).sum());
        assertEquals(13.5, context.unionDoubles(List.of(halves, halves, halves)).sum());
        Rdd<String> keys = context.union(counts.keys(), counts.keys());
        assertEquals(6, keys.count());
        Rdd<Number> wider = context.union(counts.values(), halves);
        assertEquals(6, wider.count());
    }

    @Test
    void foldsByKeyWithTheArgumentOrderOfAggregateByKey() {
        assertEquals(
                Map.of("a", 4, "b", 2), counts.foldByKey(0, 3, Integer::sum).collectAsMap());
        PairRdd<String, Integer> folded = counts.foldByKey(0, new HashPartitioner(5), Integer::sum);
        assertEquals(5, folded.partitions());
        assertEquals(Map.of("a", 4, "b", 2), folded.collectAsMap());
    }

    @Test
    void aggregatesInATreeOnExecutors() throws InterruptedException {
        Rdd<Integer> numbers =
                context.parallelize(IntStream.range(0, 100).boxed().toList(), 10);
        StartedJobs jobs = new StartedJobs(context);
        assertEquals(4950, numbers.treeAggregate(0, Integer::sum, Integer::sum, 2, true));
        assertEquals(
                1,
                jobs.soFar().get(0).stages().stream()
                        .filter(stage -> stage.shuffle() < 0)
                        .findFirst()
                        .orElseThrow()
                        .tasks());
        assertEquals(4950, numbers.treeAggregate(0, Integer::sum, Integer::sum, 2, false));
        assertEquals(7, context.<Integer>emptyRdd().treeAggregate(7, Integer::sum, Integer::sum, 2, true));
    }

    @Test
    void preservesThePartitioningIfAsked() {
        assertEquals(
                List.of(4.0, 2.0).stream().sorted().toList(),
                counts
                        .reduceByKey(Integer::sum, 2)
                        .mapPartitionsToDouble(
                                part -> {
                                    List<Double> sums = new java.util.ArrayList<>();
                                    part.forEachRemaining(pair -> sums.add((double) pair.value()));
                                    return sums.iterator();
                                },
                                true)
                        .collect()
                        .stream()
                        .sorted()
                        .toList());
        assertTrue(counts.reduceByKey(Integer::sum, 2)
                .mapPartitionsToDouble(part -> List.of(1.0).iterator(), true)
                .partitioner()
                .isPresent());
    }

    @Test
    void computesEvenHistogramBuckets() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            double from = random.nextInt(20) - 10;
            double width = random.nextInt(3) == 0 ? 0.1 : 1 + random.nextInt(9);
            double[] bounds = new double[2 + random.nextInt(8)];
            for (int i = 0; i < bounds.length; i++) {
                bounds[i] = from + i * width;
            }
            List<Double> numbers = random.doubles(30, from - width, from + width * (bounds.length + 1))
                    .boxed()
                    .toList();
            DoubleRdd all = context.union(
                    context.parallelizeDoubles(numbers, 2),
                    context.parallelizeDoubles(
                            java.util.Arrays.stream(bounds).boxed().toList(), 1));
            assertArrayEquals(
                    all.histogram(bounds),
                    all.histogram(bounds, true),
                    () -> numbers + " in " + java.util.Arrays.toString(bounds));
        }
    }

    @Test
    void cancelsWithoutReasons() throws Exception {
        for (String how : List.of("group", "tag", "all")) {
            begun = new CountDownLatch(1);
            context.jobGroup("slow", "long jobs");
            context.addJobTag("slow");
            going = new CountDownLatch(1);
            JobFuture<Void> slow = context.parallelize(List.of(1), 1).foreachAsync(n -> {
                begun.countDown();
                going.await();
            });
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            switch (how) {
                case "group" -> context.cancelJobGroup("slow");
                case "tag" -> context.cancelJobsWithTag("slow");
                default -> context.cancelAllJobs();
            }
            ExecutionException failure = assertThrows(ExecutionException.class, () -> slow.get(30, TimeUnit.SECONDS));
            assertTrue(
                    failure.getCause() instanceof HearthException why
                            && why.code().equals("JOB_CANCELLED")
                            && String.valueOf(why.getMessage()).contains("the program asked for it"),
                    how);
            going.countDown(); // the task is not interrupted
        }
    }

    @Test
    void reportsTheFinalValueOfAnEstimate() throws InterruptedException {
        going = new CountDownLatch(1);
        DoubleRdd waiting = halves.mapToDouble(number -> {
            going.await();
            return number;
        });
        PartialResult<Double> sum = waiting.sumApprox(Duration.ZERO).map(Estimate::mean);
        BlockingQueue<Object> calls = new LinkedBlockingQueue<>();
        sum.onComplete(calls::add).onFail(calls::add);
        going.countDown();
        assertEquals(4.5, calls.poll(30, TimeUnit.SECONDS));
        assertEquals(4.5, sum.last());
        PartialResult<Double> known = halves.sumApprox(Duration.ofMinutes(1)).map(Estimate::mean);
        known.onComplete(calls::add).onFail(calls::add);
        assertEquals(List.of(4.5), List.copyOf(calls), "at once");
    }

    @Test
    void reportsTheFailureOfAnEstimate() throws InterruptedException {
        going = new CountDownLatch(1);
        PartialResult<Estimate> sum = halves.mapToDouble(number -> {
                    going.await();
                    throw new IllegalStateException("no numbers");
                })
                .meanApprox(Duration.ZERO);
        BlockingQueue<Object> calls = new LinkedBlockingQueue<>();
        sum.onComplete(calls::add).onFail(calls::add);
        going.countDown();
        assertTrue(calls.poll(30, TimeUnit.SECONDS) instanceof HearthException why
                && String.valueOf(why.getMessage()).contains("no numbers"));
    }

    @Test
    void theMeanOfAnEmptyDatasetIsNotANumber() {
        Estimate mean = context.parallelizeDoubles(List.of(), 2)
                .meanApprox(Duration.ofMinutes(1))
                .last();
        assertTrue(Double.isNaN(mean.mean()), mean::toString);
        assertTrue(mean.isExact(), mean::toString);
    }
}
