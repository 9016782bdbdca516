package dev.hearth.engine.internal.driver.session;

import static dev.hearth.engine.internal.driver.session.RandomDataset.often;
import static dev.hearth.engine.internal.driver.session.RandomDataset.sorted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Estimate;
import dev.hearth.api.Option;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.function.Combiner;
import dev.hearth.engine.internal.driver.session.RandomDataset.Pairs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares operations by key with plain collections, for pairs with and without a partitioner. */
@SuppressWarnings("serial") // its serialisable lambdas access private members
class KeyedOperationsTest extends OperationsFixture {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** The sum; null counts as nothing. */
    private static Integer plus(Integer one, Integer other) {
        return (one == null ? 0 : one) + (other == null ? 0 : other);
    }

    /** The reduction; a single value stays as it is. */
    private static Map<Object, Integer> sums(Pairs pairs) {
        Map<Object, Integer> sums = new HashMap<>();
        pairs.groups().forEach((key, values) -> {
            Integer sum = values.get(0);
            for (Integer value : values.subList(1, values.size())) {
                sum = plus(sum, value);
            }
            sums.put(key, sum);
        });
        return sums;
    }

    private static <V> Map<Object, V> map(PairRdd<Object, V> pairs) {
        List<Pair<Object, V>> found = pairs.collect();
        Map<Object, V> map = new HashMap<>();
        for (Pair<Object, V> pair : found) {
            assertFalse(map.containsKey(pair.key()), () -> "twice: " + pair.key());
            map.put(pair.key(), pair.value());
        }
        return map;
    }

    /** Checks that every pair is in the partition of its key. */
    private static <V> void isSpread(PairRdd<Object, V> pairs, Partitioner partitioner) {
        assertEquals(partitioner, pairs.partitioner().orElseThrow());
        List<List<Pair<Object, V>>> parts = pairs.glom().collect();
        assertEquals(partitioner.partitions(), parts.size());
        for (int part = 0; part < parts.size(); part++) {
            for (Pair<Object, V> pair : parts.get(part)) {
                assertEquals(partitioner.partition(pair.key()), part);
            }
        }
    }

    @Property
    void aggregatesByKey(@ForAll Pairs pairs, @ForAll Partitioner partitioner) {
        PairRdd<Object, Integer> dataset = pairs.in(context);
        PairRdd<Object, Integer> reduced = dataset.reduceByKey(KeyedOperationsTest::plus, partitioner);
        isSpread(reduced, partitioner);
        assertEquals(sums(pairs), map(reduced));
        assertEquals(sums(pairs), map(dataset.reduceByKey(KeyedOperationsTest::plus)));
        assertEquals(sums(pairs), dataset.reduceByKeyLocally(KeyedOperationsTest::plus));
        assertEquals(sums(pairs), reduced.collectAsMap());
        Map<Object, Integer> folded = new HashMap<>();
        sums(pairs).forEach((key, sum) -> folded.put(key, plus(0, sum)));
        assertEquals(folded, map(dataset.foldByKey(0, KeyedOperationsTest::plus, partitioner)));
        assertEquals(pairs.groups(), map(dataset.groupByKey(partitioner).mapValues(RandomDataset::sorted)));
        Combiner<Integer, Long> longs =
                Combiner.of(value -> (long) plus(value, 0), (sum, one) -> sum + plus(one, 0), Long::sum);
        Map<Object, Long> asLongs = new HashMap<>();
        folded.forEach((key, sum) -> asLongs.put(key, (long) sum));
        assertEquals(asLongs, map(dataset.combineByKey(longs, partitioner)));
        assertEquals(asLongs, map(dataset.combineByKey(longs, partitioner, false)));
        PairRdd<Object, Set<Integer>> sets = dataset.aggregateByKey(
                (Set<Integer>) new HashSet<Integer>(),
                partitioner,
                (set, value) -> {
                    set.add(value);
                    return set;
                },
                (left, right) -> {
                    left.addAll(right);
                    return left;
                });
        Map<Object, Set<Integer>> expected = new HashMap<>();
        pairs.groups().forEach((key, values) -> expected.put(key, new HashSet<>(values)));
        assertEquals(expected, map(sets));
    }

    @Property
    void joinsAndCogroups(@ForAll Pairs left, @ForAll Pairs right, @ForAll Partitioner partitioner) {
        PairRdd<Object, Integer> leftPairs = left.in(context);
        PairRdd<Object, Integer> rightPairs = right.in(context);
        List<Pair<Object, Pair<Integer, Integer>>> inner = new ArrayList<>();
        List<Pair<Object, Pair<Integer, Option<Integer>>>> leftOuter = new ArrayList<>();
        List<Pair<Object, Pair<Option<Integer>, Integer>>> rightOuter = new ArrayList<>();
        List<Pair<Object, Pair<Option<Integer>, Option<Integer>>>> full = new ArrayList<>();
        Set<Object> keys = new HashSet<>(left.groups().keySet());
        keys.addAll(right.groups().keySet());
        for (Object key : keys) {
            List<Integer> ours = left.groups().getOrDefault(key, List.of());
            List<Integer> theirs = right.groups().getOrDefault(key, List.of());
            for (Integer one : ours) {
                theirs.forEach(other -> inner.add(Pair.of(key, Pair.of(one, other))));
                options(theirs).forEach(other -> leftOuter.add(Pair.of(key, Pair.of(one, other))));
            }
            for (Option<Integer> one : options(ours)) {
                theirs.forEach(other -> rightOuter.add(Pair.of(key, Pair.of(one, other))));
                options(theirs).forEach(other -> full.add(Pair.of(key, Pair.of(one, other))));
            }
        }
        isSpread(leftPairs.join(rightPairs, partitioner), partitioner);
        assertEquals(often(inner), often(leftPairs.join(rightPairs, partitioner).collect()));
        assertEquals(often(inner), often(leftPairs.join(rightPairs).collect()));
        assertEquals(
                often(leftOuter),
                often(leftPairs.leftOuterJoin(rightPairs, partitioner).collect()));
        assertEquals(
                often(rightOuter), often(leftPairs.rightOuterJoin(rightPairs, 3).collect()));
        assertEquals(often(full), often(leftPairs.fullOuterJoin(rightPairs).collect()));
        Set<Object> others = right.groups().keySet();
        assertEquals(
                often(left.list().stream()
                        .filter(pair -> !others.contains(pair.key()))
                        .toList()),
                often(leftPairs.subtractByKey(rightPairs, partitioner).collect()));
    }

    /** The values of one side of a join; none is an empty option. */
    private static List<Option<Integer>> options(List<Integer> values) {
        return values.isEmpty()
                ? List.of(Option.empty())
                : values.stream().map(Option::ofNullable).toList();
    }

    @Property
    void cogroupsUpToFour(@ForAll Pairs one, @ForAll Pairs two, @ForAll Pairs three, @ForAll Partitioner partitioner) {
        PairRdd<Object, Integer> first = one.in(context);
        PairRdd<Object, Integer> second = two.in(context);
        PairRdd<Object, Integer> third = three.in(context);
        Set<Object> keys = new HashSet<>(one.groups().keySet());
        keys.addAll(two.groups().keySet());
        keys.addAll(three.groups().keySet());
        Map<Object, List<List<Integer>>> expected = new HashMap<>();
        keys.forEach(key -> expected.put(
                key,
                List.of(
                        one.groups().getOrDefault(key, List.of()),
                        two.groups().getOrDefault(key, List.of()),
                        three.groups().getOrDefault(key, List.of()))));
        assertEquals(
                expected,
                map(first.cogroup(second, third, partitioner)
                        .mapValues(found ->
                                List.of(sorted(found.first()), sorted(found.second()), sorted(found.third())))));
        Map<Object, List<List<Integer>>> four = new HashMap<>();
        expected.forEach(
                (key, lists) -> four.put(key, List.of(lists.get(0), lists.get(1), lists.get(2), lists.get(0))));
        assertEquals(
                four,
                map(first.groupWith(second, third, first)
                        .mapValues(found -> List.of(
                                sorted(found.first()),
                                sorted(found.second()),
                                sorted(found.third()),
                                sorted(found.fourth())))));
    }

    @Property
    void partitionsSortsAndLooksUp(@ForAll Pairs pairs, @ForAll Partitioner partitioner, @ForAll boolean ascending) {
        PairRdd<Object, Integer> dataset = pairs.in(context);
        isSpread(dataset.partitionBy(partitioner), partitioner);
        assertEquals(often(pairs.list()), often(dataset.partitionBy(partitioner).collect()));
        PairRdd<Object, Integer> sorted = dataset.repartitionAndSortWithinPartitions(partitioner, RandomKind.order());
        isSpread(sorted, partitioner);
        for (List<Pair<Object, Integer>> part : sorted.glom().collect()) {
            List<Object> keys = keys(part);
            assertEquals(keys.stream().sorted(RandomKind.order()).toList(), keys);
        }
        PairRdd<Object, Integer> inOrder = pairs.kind().isComparable()
                ? dataset.sortByKey(ascending, 3)
                : dataset.sortByKey(RandomKind.order(), ascending, 3);
        Comparator<Object> order =
                ascending ? RandomKind.order() : RandomKind.order().reversed();
        assertEquals(
                keys(pairs.list()).stream().sorted(order).toList(),
                inOrder.keys().collect());
        for (int place = 0; place < 4; place++) {
            Object key = pairs.kind().of(place);
            List<Integer> expected = pairs.groups().getOrDefault(key, List.of());
            assertEquals(expected, sorted(dataset.lookup(key)));
            assertEquals(expected, sorted(inOrder.lookup(key)));
            isTheRange(pairs, dataset, inOrder, key, pairs.kind().of(place + 3));
        }
        assertEquals(
                pairs.groups().getOrDefault(null, List.of()), sorted(dataset.lookup(null)), "values of the null key");
    }

    private static void isTheRange(
            Pairs pairs, PairRdd<Object, Integer> dataset, PairRdd<Object, Integer> inOrder, Object one, Object other) {
        Comparator<Object> order = RandomKind.order();
        Object lower = order.compare(one, other) < 0 ? one : other;
        Object upper = lower == one ? other : one;
        Map<Pair<Object, Integer>, Long> expected = often(pairs.list().stream()
                .filter(pair -> order.compare(pair.key(), lower) >= 0 && order.compare(pair.key(), upper) <= 0)
                .toList());
        assertEquals(expected, often(dataset.filterByRange(order, lower, upper).collect()));
        assertEquals(expected, often(inOrder.filterByRange(order, lower, upper).collect()));
        if (pairs.kind().isComparable()) {
            assertEquals(expected, often(dataset.filterByRange(lower, upper).collect()));
            assertEquals(expected, often(inOrder.filterByRange(lower, upper).collect()));
        }
    }

    private static List<Object> keys(List<Pair<Object, Integer>> pairs) {
        return pairs.stream().map(Pair::key).toList();
    }

    @Property
    void mapsValuesUnderTheirKeys(@ForAll Pairs pairs, @ForAll Partitioner partitioner) {
        PairRdd<Object, Integer> spread = pairs.in(context).partitionBy(partitioner);
        PairRdd<Object, Integer> changed = spread.mapValues(value -> plus(value, 1))
                .flatMapValues(value -> List.of(value, -value).iterator())
                .filter(pair -> pair.value() > 0)
                .sample(false, 1.0);
        isSpread(changed, partitioner);
        assertEquals(
                often(pairs.list().stream()
                        .map(pair -> Pair.of(pair.key(), plus(pair.value(), 1)))
                        .toList()),
                often(changed.collect()));
        isSpread(changed.union(spread), partitioner);
        assertEquals(pairs.list().size() * 2L, changed.union(spread).count());
        assertEquals(often(new HashSet<>(pairs.list())), often(spread.distinct().collect()));
        assertEquals(
                often(pairs.list().stream().map(Pair::value).toList()),
                often(spread.values().collect()));
    }

    @Property
    void countsAndSamplesByKey(@ForAll Pairs pairs, @ForAll boolean withReplacement, @ForAll long seed) {
        PairRdd<Object, Integer> dataset = pairs.in(context);
        Map<Object, Long> counts = often(keys(pairs.list()));
        assertEquals(counts, dataset.countByKey());
        assertEquals(often(pairs.list()), dataset.countByValue());
        Map<Object, Estimate> estimates = new HashMap<>();
        counts.forEach((key, count) -> estimates.put(key, Estimate.exact(count)));
        assertEquals(estimates, dataset.countByKeyApprox(LONG).last());
        Map<Object, Long> distinct = new HashMap<>();
        pairs.groups()
                .forEach((key, values) ->
                        distinct.put(key, values.stream().distinct().count()));
        assertEquals(distinct, map(dataset.countApproxDistinctByKey(0.02)));
        Map<Object, Double> fractions = new HashMap<>();
        List<Double> some = List.of(0.0, 0.3, 0.5, 1.0);
        counts.keySet().stream().limit(some.size()).forEach(key -> fractions.put(key, some.get(fractions.size())));
        Map<Object, Long> exact = new HashMap<>();
        fractions.forEach((key, fraction) -> {
            long count = (long) Math.ceil(fraction * counts.get(key));
            if (count > 0) {
                exact.put(key, count);
            }
        });
        PairRdd<Object, Integer> drawn = dataset.sampleByKeyExact(withReplacement, fractions, seed);
        assertEquals(exact, drawn.countByKey());
        assertTrue(pairs.list().containsAll(drawn.collect()));
        List<Pair<Object, Integer>> sampled =
                dataset.sampleByKey(withReplacement, fractions, seed).collect();
        assertTrue(pairs.list().containsAll(sampled));
        assertTrue(sampled.stream().allMatch(pair -> fractions.getOrDefault(pair.key(), 0.0) > 0));
        if (!withReplacement) {
            often(sampled)
                    .forEach((pair, times) -> assertTrue(
                            times <= Collections.frequency(pairs.list(), pair), () -> pair + " " + times + " times"));
        }
    }
}
