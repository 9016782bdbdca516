package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.RangePartitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the jobs of operations: when they run, how many shuffles they need, and how often they compute their input. */
@Timeout(120)
class PlansTest {
    private static final int PARTITIONS = 3;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();
    private final Accumulator<Long, Long> computed = context.longAccumulator("computed");

    private final BlockingQueue<ApplicationEvent> events = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() {
        context.addListener(events::add);
    }

    private PairRdd<Integer, Integer> pairs() {
        Accumulator<Long, Long> counter = computed;
        return context.parallelizePairs(
                        IntStream.range(0, 30).mapToObj(i -> Pair.of(i % 7, i)).toList(), PARTITIONS)
                .mapToPair(pair -> {
                    counter.add(1L);
                    return pair;
                });
    }

    /** The number of shuffles that the stages of a count read. */
    private int shuffles(Rdd<?> dataset) throws InterruptedException, ExecutionException {
        JobFuture<Long> job = dataset.countAsync();
        job.get();
        int id = job.jobs().get(0);
        while (true) { // sampling jobs may precede the job of the action
            ApplicationEvent event = events.take();
            if (event instanceof ApplicationEvent.JobStarted started && started.job() == id) {
                return started.stages().size() - 1;
            }
        }
    }

    /** As in Spark: docs/data.md. */
    @Test
    void operationsByKeyUseTheDefaultParallelism() {
        HearthContext many = local.open(Map.of("spark.default.parallelism", "20"));
        PairRdd<Integer, Integer> pairs = many.parallelizePairs(List.of(Pair.of(1, 1), Pair.of(2, 2)), 3);
        assertEquals(20, pairs.reduceByKey(Integer::sum).partitions());
        assertEquals(20, pairs.groupByKey().partitions());
        assertEquals(20, pairs.join(pairs).partitions());
        assertEquals(20, pairs.groupBy(Pair::value).partitions());
        assertEquals(20, pairs.intersection(pairs).partitions());
        assertEquals(4, pairs.reduceByKey(Integer::sum, 4).partitions());
        assertEquals(3, pairs.distinct().partitions(), "the number of its input");
        assertEquals(3, pairs.sortByKey().partitions());
        assertEquals(3, pairs.subtractByKey(pairs).partitions());

        HearthContext few = local.open(Map.of("hearth.default.parallelism", "2"));
        PairRdd<Integer, Integer> wide = few.parallelizePairs(List.of(Pair.of(1, 1), Pair.of(2, 2)), 40);
        assertEquals(2, wide.reduceByKey(Integer::sum).partitions());
        PairRdd<Integer, Integer> spread = wide.reduceByKey(Integer::sum, 5);
        assertEquals(5, spread.join(wide).partitions(), "the default parallelism, as this side needs no shuffle");
        assertEquals(
                30,
                many.parallelizePairs(List.of(Pair.of(1, 1)), 3)
                        .reduceByKey(Integer::sum, 30)
                        .groupByKey()
                        .partitions());
        PairRdd<Integer, Integer> inOne = wide.reduceByKey(Integer::sum, 1);
        assertEquals(2, inOne.join(wide).partitions(), "too few compared with the other side");
        assertEquals(1, inOne.join(spread.coalesce(3)).partitions(), "within a factor of ten");
    }

    @Test
    void noTransformationRunsAJob() {
        PairRdd<Integer, Integer> pairs = pairs();
        List<Rdd<?>> created = new ArrayList<>(List.of(
                pairs.distinct(),
                pairs.union(pairs),
                pairs.intersection(pairs),
                pairs.subtract(pairs),
                pairs.cartesian(pairs),
                pairs.zip(pairs),
                pairs.zipWithIndex(),
                pairs.zipWithUniqueId(),
                pairs.coalesce(2),
                pairs.repartition(2),
                pairs.pick(List.of(1)),
                pairs.sortBy(Pair::value),
                pairs.sample(true, 0.5),
                pairs.pipe("cat"),
                pairs.glom(),
                pairs.sortByKey(),
                pairs.sortByKey().join(pairs),
                pairs.sortByKey().filterByRange(1, 3),
                pairs.groupByKey(),
                pairs.cogroup(pairs, pairs, pairs),
                pairs.fullOuterJoin(pairs),
                pairs.subtractByKey(pairs),
                pairs.repartitionAndSortWithinPartitions(new HashPartitioner(2)),
                pairs.countApproxDistinctByKey(0.1),
                pairs.sampleByKeyExact(false, Map.of(1, 0.5))));
        created.addAll(pairs.randomSplit(1, 2));
        pairs.toLocalIterator();
        assertTrue(pairs.toDebugString().startsWith("(3) dataset"), pairs::toDebugString);
        assertEquals(0, computed.value());
        created.forEach(Rdd::count);
        assertTrue(computed.value() > 0);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void randomPlansGiveTheRightResults(long seed) {
        Random random = new Random(seed);
        List<PairRdd<Integer, Integer>> created = new ArrayList<>(List.of(pairs().reduceByKey(Integer::sum)));
        List<Map<Integer, Integer>> expected =
                new ArrayList<>(List.of(created.get(0).collectAsMap()));
        for (int i = 0; i < 8; i++) {
            int one = random.nextInt(created.size());
            int other = random.nextInt(created.size());
            int partitions = 1 + random.nextInt(3);
            Map<Integer, Integer> model = new TreeMap<>(expected.get(one));
            PairRdd<Integer, Integer> next;
            if (random.nextBoolean()) {
                next = created.get(one)
                        .join(created.get(other), partitions)
                        .mapValues(values -> (values.key() ^ values.value()) + 1);
                model.keySet().retainAll(expected.get(other).keySet());
                model.replaceAll((key, value) -> (value ^ expected.get(other).get(key)) + 1);
            } else {
                next = created.get(one).union(created.get(other)).reduceByKey((a, b) -> a ^ b, partitions);
                expected.get(other).forEach((key, value) -> model.merge(key, value, (a, b) -> a ^ b));
            }
            created.add(random.nextBoolean() ? next.cache() : next);
            expected.add(model);
        }
        for (int i = 0; i < created.size(); i++) {
            assertEquals(expected.get(i), created.get(i).collectAsMap());
        }
    }

    @Test
    void aShuffleThatTwoLaterStagesReadIsWrittenOnce() throws Exception {
        PairRdd<Integer, List<Integer>> groups = pairs().groupByKey();
        PairRdd<Integer, Integer> sizes = groups.mapValues(List::size);
        for (int i = 0; i < 4; i++) {
            sizes = groups.join(sizes)
                    .mapToPair(pair -> Pair.of(pair.key(), pair.value().value()))
                    .reduceByKey(Integer::sum);
        }
        assertEquals(5, shuffles(groups.join(sizes)));
        assertEquals(30, computed.value());
    }

    @Test
    void anActionComputesEachPartitionOnce() {
        pairs().coalesce(2).glom().union(pairs().glom()).count();
        assertEquals(60, computed.value());
        pairs().zipWithUniqueId().count();
        assertEquals(90, computed.value());
        PairRdd<Integer, Integer> pairs = pairs();
        pairs.join(pairs).count();
        assertEquals(150, computed.value(), "computed once for each side");
        pairs().pick(List.of(2)).count();
        assertEquals(160, computed.value());
        pairs().keys().takeOrdered(3);
        assertEquals(190, computed.value());
    }

    @Test
    void cartesianComputesTheSecondOnceForEachPartitionOfTheFirst() {
        Rdd<Integer> first = context.parallelize(IntStream.range(0, 50).boxed().toList(), 2);
        assertEquals(1500, first.cartesian(pairs()).count());
        assertEquals(2 * 30, computed.value());
    }

    @Test
    void largeCartesianIsComputedInBatches() {
        int elements = 20_000; // more than a batch
        Rdd<Integer> first =
                context.parallelize(IntStream.range(0, elements).boxed().toList(), 1);
        Rdd<Long> second = context.range(0, elements / 10 + elements, 1, 1);
        long sum = first.pick(List.of(0))
                .filter(number -> number % 1000 == 0)
                .cartesian(second)
                .mapToDouble(pair -> pair.key() + pair.value())
                .count();
        assertEquals(20L * 22_000, sum);
        assertEquals(
                20L * 22_000,
                second.cartesian(first.filter(number -> number % 1000 == 0)).count());
    }

    @Test
    void partitionedPairsAreNotShuffledAgain() throws InterruptedException, ExecutionException {
        HashPartitioner hash = new HashPartitioner(4);
        PairRdd<Integer, Integer> spread = pairs().reduceByKey(Integer::sum, hash);
        assertEquals(1, shuffles(spread));
        assertEquals(1, shuffles(spread.reduceByKey(Integer::sum)));
        assertEquals(1, shuffles(spread.groupByKey().mapValues(List::size)));
        assertEquals(
                1,
                shuffles(spread.mapValues(value -> value + 1)
                        .combineByKey(value -> 1L, (sum, value) -> sum + value, Long::sum)));
        assertEquals(1, shuffles(spread.join(spread.mapValues(value -> -value))));
        assertEquals(1, shuffles(spread.cogroup(spread, spread.filter(pair -> pair.key() > 2))));
        assertEquals(1, shuffles(spread.union(spread).groupByKey(hash)));
        assertEquals(1, shuffles(spread.distinct()));
        assertEquals(2, shuffles(spread.join(pairs())), "of the other side alone");
        assertEquals(2, shuffles(spread.join(pairs().partitionBy(hash))));
        assertEquals(2, shuffles(spread.reduceByKey(Integer::sum, new HashPartitioner(5))));
        assertEquals(2, shuffles(spread.mapToPair(pair -> pair).groupByKey(hash)), "keys may have changed");
        assertSame(spread, spread.partitionBy(new HashPartitioner(4)));
    }

    @Test
    void sortedPairsKeepTheirRanges() throws InterruptedException, ExecutionException {
        PairRdd<Integer, Integer> sorted = pairs().sortByKey(true, 3);
        assertEquals(List.of(), List.copyOf(context.statusTracker().activeJobs()));
        assertEquals(3, sorted.partitioner().orElseThrow().partitions());
        assertEquals(2, shuffles(sorted.join(pairs())));
        assertEquals(1, shuffles(sorted.groupByKey()));
        assertEquals(1, shuffles(sorted.mapValues(value -> value * 2).join(sorted)));
        assertTrue(sorted.partitioner().orElseThrow() instanceof RangePartitioner);
        assertEquals(1, sorted.filterByRange(0, 0).partitions());
        assertEquals(5, sorted.filterByRange(0, 0).count());
        assertEquals(3, sorted.filterByRange(0, 6).partitions());
        assertEquals(5, sorted.lookup(0).size());
    }

    @Test
    void cachedPartitionsAreReadWithinOthers() {
        PairRdd<Integer, Integer> persisted = pairs().cache();
        long once = persisted.count();
        assertEquals(60, persisted.union(persisted).count());
        assertEquals(30, persisted.coalesce(1).count());
        assertEquals(30, persisted.zip(persisted).count());
        assertEquals(900, persisted.cartesian(persisted).count());
        assertEquals(once, computed.value());
        Rdd<Pair<Integer, Integer>> both = persisted.coalesce(2).persist(StorageLevel.MEMORY_AND_DISK);
        assertEquals(30, both.count());
        persisted.unpersist(true);
        assertEquals(60, both.union(both).count());
        assertEquals(once, computed.value());
    }

    @Test
    void lineagesMayBeDeep() {
        Rdd<Integer> deep = context.parallelize(List.of(1), 1);
        for (int i = 0; i < 400; i++) {
            deep = deep.map(number -> number + 1)
                    .union(context.parallelize(List.of(i), 1))
                    .coalesce(1);
        }
        assertEquals(401, deep.count());
        assertEquals(401, deep.union(deep).first());
        PairRdd<Integer, Integer> joined = pairs().reduceByKey(Integer::sum, 2);
        for (int i = 0; i < 100; i++) {
            joined = joined.join(joined.mapValues(value -> 1)).mapValues(Pair::key);
            if (i % 10 == 9) {
                joined = joined.cache();
                joined.count();
            }
        }
        assertEquals(7, joined.count());
    }

    @Test
    void emptyDatasetsWork() {
        Rdd<Integer> none = context.emptyRdd();
        assertEquals(0, none.partitions());
        assertEquals(List.of(), none.collect());
        assertEquals(0, none.union(none).count());
        assertEquals(5, none.fold(5, Integer::sum));
        assertTrue(none.isEmpty());
        assertEquals(List.of(), none.distinct().collect());
        assertEquals(List.of(), none.sortBy(number -> number).collect());
        assertEquals(List.of(), none.takeSample(false, 3));
        assertEquals(List.of(), none.coalesce(3).collect());
        assertEquals(List.of(), none.repartition(3).collect());
        assertEquals(List.of(), none.zipWithIndex().collect());
        assertFalse(none.toLocalIterator().hasNext());
        assertEquals(
                0,
                none.keyBy(number -> number).join(none.keyBy(number -> number)).count());
        assertEquals(List.of(1), none.union(context.parallelize(List.of(1), 1)).collect());
    }

    @Test
    void rangesOfNumbersAreGeneratedByTheirTasks() {
        assertEquals(List.of(0L, 3L, 6L, 9L), context.range(0, 10, 3, 2).collect());
        assertEquals(List.of(5L, 4L), context.range(5, 3, -1, 3).collect());
        assertEquals(List.of(), context.range(5, 3, 1, 3).collect());
        assertEquals(1L << 40, context.range(0, 1L << 40, 1L << 20, 4).max(Comparator.naturalOrder()) + (1L << 20));
    }
}
