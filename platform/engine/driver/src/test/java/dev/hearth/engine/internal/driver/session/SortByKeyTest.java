package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.RangePartitioner;
import dev.hearth.api.event.ApplicationEvent;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the partitions of sorted pairs, the jobs of a sort, and the keys that it refuses. */
@Timeout(60)
class SortByKeyTest {
    private static final int PAIRS = 60_000;
    private static final int RANGES = 8;
    private static final String MARKER = "after all other jobs";

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    /** Distributions of keys. */
    enum Skew {
        UNIFORM,
        SORTED,
        DESCENDING,
        ZIPF,
        FEW,
        ALL_EQUAL,
        MOSTLY_NULL,
        CLUSTERED;

        @Nullable
        Integer key(Random random, int number) {
            return switch (this) {
                case UNIFORM -> random.nextInt();
                case SORTED -> number;
                case DESCENDING -> -number;
                case ZIPF -> (int) Math.exp(random.nextDouble() * Math.log(1_000_000));
                case FEW -> random.nextInt(20);
                case ALL_EQUAL -> 7;
                case MOSTLY_NULL -> random.nextInt(3) > 0 ? null : random.nextInt(1_000_000);
                case CLUSTERED -> (int) (random.nextGaussian() * 1_000) + 1_000_000 * random.nextInt(3);
            };
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Skew.class)
    void partitionsAreWithinATenthOfTheirShareAsFarAsKeysAllow(Skew skew) {
        Random random = new Random(11);
        List<@Nullable Integer> keys = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            keys.add(skew.key(random, i));
        }
        assertBalanced(keys, sizesOf(keys, 12, RANGES), skew.name());
    }

    @Test
    void hundredsOfRangesAreWithinATenthOfTheirShareOfSkewedKeys() {
        int ranges = 300;
        int pairs = 2_100_000; // more than twice the sample
        int partitions = 12;
        PairRdd<Integer, Integer> skewed = context.parallelize(
                        IntStream.range(0, partitions).boxed().toList(), partitions)
                .mapPartitions(indexes -> {
                    Random random = new Random(indexes.next());
                    return IntStream.range(0, pairs / partitions)
                            .map(i -> (int) (Math.pow(random.nextDouble(), 3) * Integer.MAX_VALUE))
                            .boxed()
                            .iterator();
                })
                .mapToPair(key -> Pair.of(key, 1));
        List<Integer> sizes = sizes(skewed.sortByKey(true, ranges));
        assertEquals(ranges, sizes.size());
        double share = (double) pairs / ranges;
        sizes.forEach(size -> assertTrue(size <= 1.1 * share, () -> "a share is " + share + ", sizes " + sizes));
    }

    @Test
    void samplesAPartitionAgainThatIsFarLargerThanTheOthers() {
        int large = PAIRS;
        PairRdd<Integer, Integer> pairs = context.parallelize(
                        IntStream.range(0, 40).boxed().toList(), 40)
                .mapPartitions(indexes -> {
                    int index = indexes.next();
                    Random random = new Random(index);
                    int size = index == 17 ? large : 50;
                    return IntStream.range(0, size)
                            .map(i -> random.nextInt())
                            .boxed()
                            .iterator();
                })
                .mapToPair(key -> Pair.of(key, 1));
        List<String> names = jobNames(() -> {
            List<Integer> sizes = sizes(pairs.sortByKey(true, RANGES));
            double share = sizes.stream().mapToInt(size -> size).sum() / (double) RANGES;
            sizes.forEach(size -> assertTrue(size <= 1.1 * share, "sizes " + sizes));
        });
        assertEquals(3, names.size(), names::toString);
    }

    @Test
    void runsOneNamedSamplingJob() {
        PairRdd<Integer, Integer> sorted = pairs(List.of(3, 1, 2)).sortByKey(true, 2);
        List<String> names = jobNames(() -> {
            sorted.count();
            sorted.collect();
        });
        assertEquals(3, names.size(), names::toString);
        assertTrue(names.get(0).startsWith("sample of keys for count at "), names::toString);
        assertTrue(names.get(1).startsWith("count at "), names::toString);
    }

    @Test
    void takesNoSampleForOnePartition() {
        List<String> names = jobNames(() -> assertEquals(
                List.of(1, 2, 3),
                pairs(List.of(3, 1, 2)).sortByKey(true, 1).keys().collect()));
        assertEquals(1, names.size(), names::toString);
    }

    @Test
    void sortsAnEmptyDataset() {
        assertEquals(List.of(), pairs(List.of()).sortByKey(true, 3).collect());
        assertEquals(List.of(), pairs(List.of()).sortByKey(false, 1).collect());
    }

    @Test
    void nullComesFirstAndLastWhenDescending() {
        List<@Nullable Integer> keys = Arrays.asList(3, null, 1, null, 2);
        assertEquals(
                Arrays.asList(null, null, 1, 2, 3),
                pairs(keys).sortByKey(true, 3).keys().collect());
        assertEquals(
                Arrays.asList(3, 2, 1, null, null),
                pairs(keys).sortByKey(false, 3).keys().collect());
        Comparator<Integer> reversed = Comparator.reverseOrder();
        assertEquals(
                Arrays.asList(null, null, 3, 2, 1),
                pairs(keys).sortByKey(reversed, true, 3).keys().collect());
        assertEquals(
                Arrays.asList(1, 2, 3, null, null),
                pairs(keys).sortByKey(reversed, false, 3).keys().collect());
    }

    /** A key without an order. */
    private record Point(int x) implements Serializable {}

    @Test
    void keysWithoutAnOrderAreRefusedWithAdvice() {
        for (int ranges : new int[] {1, 4}) {
            PairRdd<Point, Integer> points = context.parallelize(
                            IntStream.range(0, 100).boxed().toList(), 3)
                    .mapToPair(x -> Pair.of(new Point(x), x));
            HearthException refused = assertThrows(
                    HearthException.class, () -> points.sortByKey(true, ranges).collect());
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("which has no natural order (expected: a Comparable)"),
                    refused::getMessage);
        }
    }

    @Test
    void keysThatDoNotCompareAreRefusedWithTheirClasses() {
        for (int ranges : new int[] {1, 4}) {
            PairRdd<Object, Integer> mixed = context.parallelize(
                            IntStream.range(0, 100).boxed().toList(), 3)
                    .mapToPair(x -> Pair.of(x % 2 == 0 ? (Object) x : "x" + x, x));
            HearthException refused = assertThrows(
                    HearthException.class, () -> mixed.sortByKey(true, ranges).collect());
            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("java.lang.Integer") && message.contains("java.lang.String"), message);
        }
    }

    @Test
    void aRangeRefusesAKeyOfAnotherClass() {
        RangePartitioner<Integer> ranges = new RangePartitioner<>(List.of(5), Optional.empty(), false);
        HearthException refused = assertThrows(HearthException.class, () -> ranges.partition("x"));
        assertEquals("BAD_ARGUMENT", refused.code());
        assertTrue(
                String.valueOf(refused.getMessage()).contains("java.lang.String (expected: a key that compares with"));
    }

    @Test
    void anInconsistentComparatorLosesNoPair() {
        List<@Nullable Integer> keys =
                new ArrayList<>(IntStream.range(0, 5_000).boxed().toList());
        Comparator<Integer> contradicting = (Comparator<Integer> & Serializable)
                (left, right) -> Integer.compare((left * 31 + right * 17) % 7, (right * 29 + left * 13) % 5);
        List<Integer> sorted = new ArrayList<>(
                pairs(keys).sortByKey(contradicting, true, 4).keys().collect());
        sorted.sort(Comparator.naturalOrder());
        assertEquals(keys, sorted);
    }

    private PairRdd<Integer, Integer> pairs(List<@Nullable Integer> keys) {
        return context.parallelize(IntStream.range(0, keys.size()).boxed().toList(), 2)
                .mapToPair(i -> new Pair<>(keys.get(i), i));
    }

    private List<Integer> sizesOf(List<@Nullable Integer> keys, int partitions, int ranges) {
        return sizes(context.parallelize(IntStream.range(0, keys.size()).boxed().toList(), partitions)
                .mapToPair(i -> new Pair<>(keys.get(i), i))
                .sortByKey(true, ranges));
    }

    private static List<Integer> sizes(PairRdd<Integer, Integer> sorted) {
        return sorted.mapPartitions(pairs -> {
                    int size = 0;
                    while (pairs.hasNext()) {
                        pairs.next();
                        size++;
                    }
                    return List.of(size).iterator();
                })
                .collect();
    }

    /** A partition more than a tenth too large has a single key that accounts for the excess. */
    private static void assertBalanced(List<@Nullable Integer> keys, List<Integer> sizes, String which) {
        Map<@Nullable Integer, Integer> counts = new HashMap<>();
        keys.forEach(key -> counts.merge(key, 1, Integer::sum));
        List<@Nullable Integer> sorted = new ArrayList<>(keys);
        sorted.sort(Comparator.nullsFirst(Comparator.naturalOrder()));
        double share = keys.size() / (double) sizes.size();
        int begin = 0;
        for (int size : sizes) {
            List<@Nullable Integer> range = sorted.subList(begin, begin + size);
            int heaviest = range.stream().mapToInt(counts::get).max().orElse(0);
            assertTrue(
                    size == heaviest || size <= 1.1 * share + (heaviest > share / 20 ? heaviest / 2.0 : 0),
                    which + ": " + sizes + ", a share is " + share + ", the heaviest key " + heaviest);
            begin += size;
        }
        assertEquals(keys.size(), begin, which);
    }

    /** The names of the executed jobs. */
    private List<String> jobNames(Runnable running) {
        BlockingQueue<ApplicationEvent.JobStarted> started = new LinkedBlockingQueue<>();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.JobStarted job) {
                started.add(job);
            }
        });
        running.run();
        context.jobDescription(MARKER);
        context.parallelize(List.of(1), 1).count();
        List<String> names = new ArrayList<>();
        try {
            for (var job = started.take(); !job.description().equals(MARKER); job = started.take()) {
                names.add(job.name());
            }
        } catch (InterruptedException timeout) {
            throw new AssertionError("jobs so far: " + names, timeout);
        }
        return names;
    }
}
