package dev.hearth.engine.internal.driver.session;

import static dev.hearth.engine.internal.driver.session.RandomDataset.often;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Estimate;
import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.engine.internal.driver.session.RandomDataset.Things;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Compares operations on elements of any type, null included, with plain collections. */
@SuppressWarnings("serial") // its serialisable lambdas access private members
class MixedOperationsTest extends OperationsFixture {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** A number of an element, equal in every process. */
    private static int weight(Object thing) {
        return thing == null ? 7 : HashPartitioner.hash(thing) % 1_000;
    }

    /** Repeats an element zero to two times. */
    private static List<Object> some(Object thing) {
        return IntStream.range(0, Math.floorMod(weight(thing), 3))
                .mapToObj(time -> thing)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<Object> all(Iterator<Object> part) {
        List<Object> all = new ArrayList<>();
        part.forEachRemaining(all::add);
        return all;
    }

    private static int sum(List<Object> things) {
        return things.stream().mapToInt(MixedOperationsTest::weight).sum();
    }

    @Property
    void returnsItsElements(@ForAll Things things, @ForAll @IntRange(min = 0, max = 70) int count)
            throws InterruptedException, ExecutionException {
        Rdd<Object> dataset = things.in(context);
        List<Object> input = things.list();
        assertEquals(things.partitions(), dataset.partitions());
        assertEquals(input, dataset.collect());
        assertEquals(input, dataset.collectAsync().get());
        assertEquals(input.size(), dataset.count());
        assertEquals(input.size(), dataset.countAsync().get());
        assertEquals(input.isEmpty(), dataset.isEmpty());
        if (input.isEmpty()) {
            assertEquals(
                    "EMPTY_DATASET",
                    assertThrows(HearthException.class, dataset::first).code());
        } else {
            assertEquals(input.get(0), dataset.first());
        }
        List<Object> taken = input.subList(0, Math.min(count, input.size()));
        assertEquals(taken, dataset.take(count));
        assertEquals(taken, dataset.takeAsync(count).get());
        assertEquals(input, all(dataset.toLocalIterator()));
        assertEquals(input, dataset.stream().toList());
        assertEquals(things.parts(), dataset.glom().collect());
        List<Integer> sizes = things.parts().stream().map(List::size).toList();
        assertEquals(sizes, dataset.evaluate((task, part) -> all(part).size()));
        List<Integer> everyOther = IntStream.range(0, things.partitions())
                .filter(part -> part % 2 == 0)
                .boxed()
                .toList();
        assertEquals(
                everyOther.stream().map(sizes::get).toList(),
                dataset.evaluateAsync((task, part) -> all(part).size(), everyOther)
                        .get());
        assertEquals(
                everyOther.stream()
                        .flatMap(part -> things.parts().get(part).stream())
                        .toList(),
                dataset.pick(everyOther).collect());
    }

    @Property
    void mapsElements(@ForAll Things things) {
        Rdd<Object> dataset = things.in(context);
        List<Object> input = things.list();
        assertEquals(
                input.stream().map(MixedOperationsTest::weight).toList(),
                dataset.map(MixedOperationsTest::weight).collect());
        assertEquals(
                input.stream().filter(Objects::nonNull).toList(),
                dataset.filter(Objects::nonNull).collect());
        List<Object> flat =
                input.stream().flatMap(thing -> some(thing).stream()).toList();
        assertEquals(flat, dataset.flatMap(thing -> some(thing).iterator()).collect());
        assertEquals(flat, dataset.flatMapStream(thing -> some(thing).stream()).collect());
        assertEquals(
                flat.stream().map(thing -> Pair.of(thing, weight(thing))).toList(),
                dataset.flatMapToPair(thing -> some(thing).stream()
                                .map(each -> Pair.of(each, weight(each)))
                                .iterator())
                        .collect());
        assertEquals(
                input.stream().map(thing -> Pair.of(weight(thing), thing)).toList(),
                dataset.mapToPair(thing -> Pair.of(weight(thing), thing)).collect());
        assertEquals(
                input.stream().map(thing -> Pair.of(weight(thing), thing)).toList(),
                dataset.keyBy(MixedOperationsTest::weight).collect());
        assertEquals(
                input.stream().map(thing -> (double) weight(thing)).toList(),
                dataset.mapToDouble(thing -> weight(thing)).collect());
        assertEquals(
                flat.stream().map(thing -> weight(thing) / 2.0).toList(),
                dataset.flatMapToDouble(thing -> some(thing).stream()
                                .map(each -> weight(each) / 2.0)
                                .iterator())
                        .collect());
        assertEquals(
                input.stream()
                        .map(thing -> Pair.of(thing, String.valueOf(thing)))
                        .toList(),
                dataset.zip(dataset.map(String::valueOf)).collect());
        assertEquals(
                IntStream.range(0, input.size())
                        .mapToObj(place -> Pair.of(input.get(place), (long) place))
                        .toList(),
                dataset.zipWithIndex().collect());
    }

    @Property
    void mapsPartitions(@ForAll Things things) {
        Rdd<Object> dataset = things.in(context);
        List<List<Object>> parts = things.parts();
        List<Integer> sums = parts.stream().map(MixedOperationsTest::sum).toList();
        assertEquals(
                sums,
                dataset.mapPartitions(part -> List.of(sum(all(part))).iterator())
                        .collect());
        assertEquals(
                sums.stream().map(sum -> (double) sum).toList(),
                dataset.mapPartitionsToDouble(
                                part -> List.of((double) sum(all(part))).iterator())
                        .collect());
        List<Pair<Integer, Integer>> numbered = IntStream.range(0, parts.size())
                .mapToObj(part -> Pair.of(part, sums.get(part)))
                .toList();
        assertEquals(
                numbered,
                dataset.mapPartitionsWithIndex((number, part) ->
                                List.of(Pair.of(number, sum(all(part)))).iterator())
                        .collect());
        assertEquals(
                sums.stream().map(sum -> Pair.of(sum % 3, sum)).toList(),
                dataset.mapPartitionsToPair(part -> {
                            int sum = sum(all(part));
                            return List.of(Pair.of(sum % 3, sum)).iterator();
                        })
                        .collect());
        assertEquals(
                sums.stream().map(sum -> sum * 2).toList(),
                dataset.zipPartitions(
                                dataset,
                                (left, right) -> List.of(sum(all(left)) + sum(all(right)))
                                        .iterator())
                        .collect());
    }

    @Property
    void scansPartitions(@ForAll Things things) {
        Rdd<Object> dataset = things.in(context);
        List<List<Object>> parts = things.parts();
        List<Integer> sums = parts.stream().map(MixedOperationsTest::sum).toList();
        List<Pair<Integer, Integer>> running = new ArrayList<>(); // each with the sum of all earlier ones
        int before = 0;
        for (int part = 0; part < parts.size(); part++) {
            for (Object thing : parts.get(part)) {
                running.add(Pair.of(weight(thing), before));
            }
            before += sums.get(part);
        }
        assertEquals(
                running,
                dataset.<Integer, Pair<Integer, Integer>>mapPartitionsAfter(
                                (task, part) -> sum(all(part)),
                                found -> (number, part) -> {
                                    int passed = found.subList(0, number).stream()
                                            .mapToInt(Integer::intValue)
                                            .sum();
                                    return all(part).stream()
                                            .map(thing -> Pair.of(weight(thing), passed))
                                            .iterator();
                                },
                                false)
                        .collect());
    }

    @Property
    void groupsEqualElements(
            @ForAll Things left, @ForAll Things right, @ForAll @IntRange(min = 1, max = 5) int partitions) {
        Rdd<Object> here = left.in(context);
        Rdd<Object> live = right.in(context);
        Set<Object> both = new HashSet<>(left.list());
        both.retainAll(right.list());
        List<Object> union = new ArrayList<>(left.list());
        union.addAll(right.list());
        assertEquals(union, here.union(live).collect());
        assertEquals(
                often(new HashSet<>(union)),
                often(here.union(live).distinct(partitions).collect()));
        assertEquals(often(both), often(here.intersection(live, partitions).collect()));
        assertEquals(often(both), often(here.intersection(live).collect()));
        assertEquals(
                often(left.list().stream()
                        .filter(thing -> !right.list().contains(thing))
                        .toList()),
                often(here.subtract(live, new RandomDataset.Remainders(partitions))
                        .collect()));
        assertEquals(often(union), here.union(live).countByValue());
        List<Pair<Object, Object>> cartesian = new ArrayList<>();
        left.list().forEach(one -> right.list().forEach(other -> cartesian.add(Pair.of(one, other))));
        assertEquals(often(cartesian), often(here.cartesian(live).collect()));
    }

    @Property
    void countsAndGroups(@ForAll Things things, @ForAll Partitioner partitioner) {
        Rdd<Object> dataset = things.in(context);
        assertEquals(often(things.list()), dataset.countByValue());
        Map<Object, Estimate> estimates = new HashMap<>();
        often(things.list()).forEach((thing, count) -> estimates.put(thing, Estimate.exact(count)));
        assertEquals(estimates, dataset.countByValueApprox(LONG).last());
        assertEquals(new HashSet<>(things.list()).size(), dataset.countApproxDistinct(0.01));
        assertEquals(
                Estimate.exact(things.list().size()), dataset.countApprox(LONG).last());
        Map<Object, Map<Object, Long>> groups = new HashMap<>();
        things.list()
                .forEach(thing -> groups.computeIfAbsent(
                                weight(thing) % 2 == 0 ? thing : null, missing -> new HashMap<>())
                        .merge(thing, 1L, Long::sum));
        Map<Object, Map<Object, Long>> found = new HashMap<>();
        dataset.groupBy(thing -> weight(thing) % 2 == 0 ? thing : null, partitioner)
                .collect()
                .forEach(group -> assertEquals(null, found.put(group.key(), often(group.value()))));
        assertEquals(groups, found);
        assertEquals(
                groups.size(),
                dataset.groupBy(thing -> weight(thing) % 2 == 0 ? thing : null).count());
    }

    @Property
    void gathersElements(@ForAll Things things, @ForAll @IntRange(min = 1, max = 4) int depth) {
        Rdd<Object> dataset = things.in(context);
        int sum = sum(things.list());
        assertEquals(sum, dataset.aggregate(0, (before, thing) -> before + weight(thing), Integer::sum));
        assertEquals(sum, dataset.treeAggregate(0, (before, thing) -> before + weight(thing), Integer::sum, depth));
        Comparator<Object> order = RandomKind.order();
        List<Object> ascending = things.list().stream().sorted(order).toList();
        Object above = List.of("the maximum");
        Object least = ascending.isEmpty() ? above : ascending.get(0);
        assertEquals(least, dataset.fold(above, (one, other) -> order.compare(one, other) < 0 ? one : other));
        if (!ascending.isEmpty()) {
            assertEquals(least, dataset.reduce((one, other) -> order.compare(one, other) < 0 ? one : other));
        }
    }

    @Property
    void sortsWithNullFirstOrLast(
            @ForAll Things things, @ForAll boolean ascending, @ForAll @IntRange(min = 1, max = 5) int partitions) {
        Comparator<Object> order =
                ascending ? RandomKind.order() : RandomKind.order().reversed();
        Rdd<Object> dataset = things.in(context);
        if (things.kind().isComparable()) {
            assertEquals(
                    things.list().stream().sorted(order).toList(),
                    dataset.sortBy(thing -> thing, ascending, partitions).collect());
        }
        List<Object> known = things.list().stream().filter(Objects::nonNull).toList();
        int most = Math.min(partitions, known.size());
        Rdd<Object> without = dataset.filter(Objects::nonNull);
        assertEquals(known.stream().sorted(order).limit(most).toList(), without.takeOrdered(most, order));
        assertEquals(known.stream().sorted(order.reversed()).limit(most).toList(), without.top(most, order));
        if (!known.isEmpty()) {
            assertEquals(known.stream().min(order).orElseThrow(), without.min(order));
            assertEquals(known.stream().max(order).orElseThrow(), without.max(order));
        }
    }

    @Property
    void repartitionsAndSamples(
            @ForAll Things things,
            @ForAll @IntRange(min = 1, max = 7) int partitions,
            @ForAll @DoubleRange(min = 0, max = 1) double fraction,
            @ForAll long seed) {
        Rdd<Object> dataset = things.in(context);
        Map<Object, Long> input = often(things.list());
        assertEquals(input, often(dataset.repartition(partitions).collect()));
        assertEquals(things.list(), dataset.coalesce(partitions).collect());
        often(dataset.sample(false, fraction, seed).collect())
                .forEach((thing, times) -> assertTrue(times <= input.get(thing)));
        assertTrue(input.keySet()
                .containsAll(dataset.sample(true, 2 * fraction, seed).collect()));
        List<Object> parts = new ArrayList<>();
        dataset.randomSplit(new double[] {fraction, 1}, seed).forEach(part -> parts.addAll(part.collect()));
        assertEquals(input, often(parts));
        List<Object> taken = dataset.takeSample(false, partitions, seed);
        assertEquals(Math.min(partitions, things.list().size()), taken.size());
        often(taken).forEach((thing, times) -> assertTrue(times <= input.get(thing)));
    }

    @Property
    void callsFunctionsWithEachElementOnce(@ForAll Things things) throws InterruptedException, ExecutionException {
        Rdd<Object> dataset = things.in(context);
        Accumulator<Long, Long> weights = context.longAccumulator("weights");
        Accumulator<Long, Long> parts = context.longAccumulator("parts");
        dataset.foreach(thing -> weights.add((long) weight(thing)));
        assertEquals(sum(things.list()), weights.value());
        dataset.foreachAsync(thing -> weights.add((long) weight(thing))).get();
        assertEquals(2L * sum(things.list()), weights.value());
        dataset.foreachPartition(part -> {
            weights.add((long) sum(all(part)));
            parts.add(1L);
        });
        assertEquals(3L * sum(things.list()), weights.value());
        dataset.foreachPartitionAsync(part -> {
                    weights.add((long) sum(all(part)));
                    parts.add(1L);
                })
                .get();
        assertEquals(4L * sum(things.list()), weights.value());
        assertEquals(2L * things.partitions(), parts.value());
    }

    @Property(tries = 20)
    void readsItsOwnOutput(@ForAll Things things, @ForAll @IntRange(min = 1, max = 4) int partitions) {
        Rdd<Object> dataset = things.in(context);
        String objects = unusedPath();
        dataset.saveAsObjectFile(objects);
        assertEquals(things.list(), context.objectFile(objects, partitions).collect());
        String lines = unusedPath();
        dataset.saveAsTextFile(lines);
        assertEquals(
                things.list().stream().map(String::valueOf).toList(),
                context.textFile(lines, partitions).collect());
    }

    @Property(tries = 10)
    void barrierTasksRunTogether(@ForAll Things things) {
        int partitions = Math.max(1, Math.min(2, things.partitions())); // no more than the cores
        List<List<Object>> parts = RandomDataset.cut(things.list(), partitions);
        assertEquals(
                parts.stream().flatMap(part -> Stream.of(sum(part), partitions)).toList(),
                context.parallelize(things.list(), partitions)
                        .barrier()
                        .mapPartitions(part -> {
                            int sum = sum(all(part));
                            int met = BarrierTaskContext.current()
                                    .allGather("here")
                                    .size();
                            return List.of(sum, met).iterator();
                        })
                        .collect());
    }
}
