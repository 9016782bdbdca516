package dev.hearth.engine.internal.driver.session;

import static dev.hearth.engine.internal.driver.session.RandomDataset.often;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.DoubleRdd;
import dev.hearth.api.Estimate;
import dev.hearth.api.Histogram;
import dev.hearth.api.PartialResult;
import dev.hearth.api.Rdd;
import dev.hearth.api.Statistics;
import dev.hearth.engine.internal.driver.session.RandomDataset.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares actions with operations on plain collections. */
@SuppressWarnings("serial") // its serialisable lambdas access private members
class ActionsTest extends OperationsFixture {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Property
    void gathersElements(@ForAll Numbers numbers, @ForAll @IntRange(min = 1, max = 4) int depth) {
        Rdd<Integer> dataset = numbers.in(context);
        int sum = numbers.list().stream().mapToInt(Integer::intValue).sum();
        assertEquals(sum, dataset.fold(0, Integer::sum));
        assertEquals(sum, dataset.aggregate(0, (before, number) -> before + number, Integer::sum));
        assertEquals(sum, dataset.treeAggregate(0, (before, number) -> before + number, Integer::sum, depth));
        List<Integer> all = dataset.aggregate(
                new ArrayList<Integer>(),
                (list, number) -> {
                    list.add(number);
                    return list;
                },
                (left, right) -> {
                    left.addAll(right);
                    return left;
                });
        assertEquals(often(numbers.list()), often(all));
        assertEquals(often(numbers.list()), dataset.countByValue());
        assertEquals(new HashSet<>(numbers.list()).size(), dataset.countApproxDistinct(0.01));
        if (!numbers.list().isEmpty()) {
            assertEquals(sum, dataset.reduce(Integer::sum));
            assertEquals(sum, dataset.treeReduce(Integer::sum, depth));
        }
    }

    @Property
    void aggregatesManyPartitionsInATree(@ForAll @IntRange(min = 10, max = 60) int partitions) {
        Rdd<Long> dataset = context.range(0, 500, 1, partitions);
        long sum = LongStream.range(0, 500).sum();
        assertEquals(sum, dataset.treeReduce(Long::sum));
        assertEquals(sum, dataset.treeAggregate(0L, Long::sum, Long::sum, 3));
    }

    @Property
    void takesTheRightOnes(@ForAll Numbers numbers, @ForAll @IntRange(min = 0, max = 70) int count, @ForAll long seed)
            throws InterruptedException, ExecutionException {
        Rdd<Integer> dataset = numbers.in(context);
        List<Integer> ascending = RandomDataset.sorted(numbers.list());
        List<Integer> descending =
                numbers.list().stream().sorted(Comparator.reverseOrder()).toList();
        int most = Math.min(count, ascending.size());
        assertEquals(ascending.subList(0, most), dataset.takeOrdered(count));
        assertEquals(descending.subList(0, most), dataset.top(count));
        assertEquals(descending.subList(0, most), dataset.takeOrdered(count, Comparator.reverseOrder()));
        assertEquals(numbers.list().subList(0, most), dataset.take(count));
        assertEquals(numbers.list().subList(0, most), dataset.takeAsync(count).get());
        List<Integer> sample = dataset.takeSample(false, count, seed);
        assertEquals(most, sample.size());
        assertEquals(sample, dataset.takeSample(false, count, seed));
        often(sample)
                .forEach((number, times) ->
                        assertTrue(times <= often(numbers.list()).get(number)));
        List<Integer> repeated = dataset.takeSample(true, count, seed);
        assertEquals(numbers.list().isEmpty() ? 0 : count, repeated.size());
        assertTrue(numbers.list().containsAll(repeated));
        if (!ascending.isEmpty()) {
            assertEquals(ascending.get(0), dataset.min(Comparator.naturalOrder()));
            assertEquals(descending.get(0), dataset.max(Comparator.naturalOrder()));
        }
    }

    @Property
    void iteratesOverPartitions(@ForAll Numbers numbers, @ForAll boolean prefetch) {
        Rdd<Integer> dataset = numbers.in(context);
        List<Integer> one = new ArrayList<>();
        dataset.toLocalIterator(prefetch).forEachRemaining(one::add);
        assertEquals(numbers.list(), one);
        int[] all = IntStream.range(0, numbers.partitions()).toArray();
        assertEquals(numbers.parts(), dataset.collectPartitions(all));
    }

    @Property
    void describesNumbers(@ForAll Numbers numbers) {
        List<Double> input = numbers.list().stream().map(Integer::doubleValue).toList();
        DoubleRdd dataset = numbers.in(context).mapToDouble(number -> number);
        double sum = input.stream().mapToDouble(number -> number).sum();
        Statistics stats = dataset.stats();
        assertEquals(input.size(), stats.count());
        assertEquals(sum, dataset.sum(), 1e-9);
        assertEquals(sum, stats.sum(), 1e-9);
        if (!input.isEmpty()) {
            double mean = sum / input.size();
            double squares = input.stream()
                    .mapToDouble(number -> (number - mean) * (number - mean))
                    .sum();
            assertEquals(mean, dataset.mean(), 1e-9);
            assertEquals(squares / input.size(), dataset.variance(), 1e-9);
            assertEquals(squares / input.size(), dataset.popVariance(), 1e-9);
            assertEquals(Math.sqrt(squares / input.size()), dataset.stdev(), 1e-9);
            assertEquals(Math.sqrt(squares / input.size()), dataset.popStdev(), 1e-9);
            double sample = input.size() == 1 ? Double.NaN : squares / (input.size() - 1);
            assertEquals(sample, dataset.sampleVariance(), 1e-9);
            assertEquals(Math.sqrt(sample), dataset.sampleStdev(), 1e-9);
            assertEquals(mean, dataset.meanApprox(LONG).last().mean(), 1e-9);
            assertEquals(input.stream().mapToDouble(number -> number).min().orElseThrow(), dataset.min());
            assertEquals(input.stream().mapToDouble(number -> number).max().orElseThrow(), dataset.max());
            Histogram even = dataset.histogram(4);
            assertEquals(
                    input.size(),
                    even.counts().stream().mapToLong(Long::longValue).sum());
        }
        long[] expected = new long[3];
        input.forEach(number -> {
            if (number >= -5 && number < 0) {
                expected[0]++;
            } else if (number >= 0 && number < 2) {
                expected[1]++;
            } else if (number >= 2 && number <= 7) {
                expected[2]++;
            }
        });
        assertArrayEquals(expected, dataset.histogram(-5, 0, 2, 7));
    }

    @Property
    void estimatesAreExactWithEnoughTime(@ForAll Numbers numbers) {
        Rdd<Integer> dataset = numbers.in(context);
        PartialResult<Estimate> count = dataset.countApprox(LONG);
        assertTrue(count.isFinal());
        assertEquals(Estimate.exact(numbers.list().size()), count.initial());
        assertEquals(count.initial(), count.last());
        assertEquals(
                often(numbers.list()).entrySet().stream()
                        .collect(Collectors.toMap(entry -> entry.getKey(), entry -> Estimate.exact(entry.getValue()))),
                dataset.countByValueApprox(LONG).initial());
        DoubleRdd doubles = dataset.mapToDouble(number -> number);
        assertEquals(doubles.stats().sum(), doubles.sumApprox(LONG).last().mean(), 1e-9);
    }

    @Property
    void estimatesAreComputedFromFinishedTasks(@ForAll Numbers numbers) {
        Rdd<Integer> dataset = numbers.in(context);
        List<Integer> sizes = numbers.parts().stream().map(List::size).toList();
        PartialResult<String> found = dataset.approximate(
                (task, part) -> size(part), (some, tasks) -> RandomDataset.sorted(some) + " of " + tasks, LONG);
        String expected = RandomDataset.sorted(sizes) + " of " + numbers.partitions();
        assertEquals(expected, found.last());
        assertEquals(
                expected,
                context.<Integer, Integer, String>runApproximateJob(
                                dataset,
                                (task, part) -> size(part),
                                (some, tasks) -> RandomDataset.sorted(some) + " of " + tasks,
                                LONG)
                        .last());
        assertTrue(found.isFinal());
        assertEquals(sizes, dataset.evaluate((task, part) -> size(part)));
    }

    private static int size(Iterator<Integer> part) {
        int size = 0;
        for (; part.hasNext(); part.next()) {
            size++;
        }
        return size;
    }
}
