package dev.hearth.engine.internal.driver;

import static dev.hearth.engine.internal.driver.DrawnData.often;
import static dev.hearth.engine.internal.driver.DrawnData.sorted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Option;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.function.Combiner;
import dev.hearth.engine.internal.driver.DrawnData.Pairs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Operations by key beside plain collections: of pairs spread in any way, or not at all, over any partitioner. */
class KeyedOperationsTest extends OperationsFixture {
    private static final String SEED = "43";

    private static Map<Integer, Integer> sums(Pairs pairs) {
        Map<Integer, Integer> sums = new TreeMap<>();
        pairs.list().forEach(pair -> sums.merge(pair.key(), pair.value(), Integer::sum));
        return sums;
    }

    private static <V> Map<Integer, V> map(PairRdd<Integer, V> pairs) {
        List<Pair<Integer, V>> found = pairs.collect();
        Map<Integer, V> map = new TreeMap<>();
        found.forEach(pair -> assertTrue(map.put(pair.key(), pair.value()) == null, () -> "twice: " + pair.key()));
        return map;
    }

    /** Every pair is where the partitioner has its key. */
    private static <V> void isSpread(PairRdd<Integer, V> pairs, Partitioner partitioner) {
        assertEquals(partitioner, pairs.partitioner().orElseThrow());
        List<List<Pair<Integer, V>>> parts = pairs.glom().collect();
        assertEquals(partitioner.partitions(), parts.size());
        for (int part = 0; part < parts.size(); part++) {
            for (Pair<Integer, V> pair : parts.get(part)) {
                assertEquals(partitioner.partition(pair.key()), part);
            }
        }
    }

    @Property(seed = SEED)
    void aggregatesByKey(@ForAll Pairs pairs, @ForAll Partitioner partitioner) {
        PairRdd<Integer, Integer> dataset = pairs.in(context);
        PairRdd<Integer, Integer> reduced = dataset.reduceByKey(Integer::sum, partitioner);
        isSpread(reduced, partitioner);
        assertEquals(sums(pairs), map(reduced));
        assertEquals(sums(pairs), map(dataset.reduceByKey(Integer::sum)));
        assertEquals(sums(pairs), map(dataset.foldByKey(0, Integer::sum, partitioner)));
        assertEquals(sums(pairs), new TreeMap<>(dataset.reduceByKeyLocally(Integer::sum)));
        assertEquals(pairs.groups(), map(dataset.groupByKey(partitioner).mapValues(DrawnData::sorted)));
        Combiner<Integer, Long> longs = Combiner.of(Integer::longValue, (sum, one) -> sum + one, Long::sum);
        Map<Integer, Long> asLongs = new TreeMap<>();
        sums(pairs).forEach((key, sum) -> asLongs.put(key, (long) sum));
        assertEquals(asLongs, map(dataset.combineByKey(longs, partitioner)));
        assertEquals(asLongs, map(dataset.combineByKey(longs, partitioner, false)));
        PairRdd<Integer, Set<Integer>> sets = dataset.aggregateByKey(
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
        Map<Integer, Set<Integer>> expected = new TreeMap<>();
        pairs.groups().forEach((key, values) -> expected.put(key, new HashSet<>(values)));
        assertEquals(expected, map(sets));
    }

    @Property(seed = SEED)
    void joinsAndCogroups(@ForAll Pairs left, @ForAll Pairs right, @ForAll Partitioner partitioner) {
        PairRdd<Integer, Integer> here = left.in(context);
        PairRdd<Integer, Integer> there = right.in(context);
        List<Pair<Integer, Pair<Integer, Integer>>> inner = new ArrayList<>();
        List<Pair<Integer, Pair<Integer, Option<Integer>>>> leftOuter = new ArrayList<>();
        List<Pair<Integer, Pair<Option<Integer>, Integer>>> rightOuter = new ArrayList<>();
        List<Pair<Integer, Pair<Option<Integer>, Option<Integer>>>> full = new ArrayList<>();
        Map<Integer, List<Integer>> lefts = left.groups();
        Map<Integer, List<Integer>> rights = right.groups();
        Set<Integer> keys = new TreeSet<>(lefts.keySet());
        keys.addAll(rights.keySet());
        for (int key : keys) {
            for (Option<Integer> one : options(lefts.get(key))) {
                for (Option<Integer> other : options(rights.get(key))) {
                    full.add(Pair.of(key, Pair.of(one, other)));
                    if (one.isPresent()) {
                        leftOuter.add(Pair.of(key, Pair.of(one.get(), other)));
                    }
                    if (other.isPresent()) {
                        rightOuter.add(Pair.of(key, Pair.of(one, other.get())));
                    }
                    if (one.isPresent() && other.isPresent()) {
                        inner.add(Pair.of(key, Pair.of(one.get(), other.get())));
                    }
                }
            }
        }
        isSpread(here.join(there, partitioner), partitioner);
        assertEquals(often(inner), often(here.join(there, partitioner).collect()));
        assertEquals(often(inner), often(here.join(there).collect()));
        assertEquals(
                often(leftOuter), often(here.leftOuterJoin(there, partitioner).collect()));
        assertEquals(often(rightOuter), often(here.rightOuterJoin(there, 3).collect()));
        assertEquals(often(full), often(here.fullOuterJoin(there).collect()));
        assertEquals(
                often(left.list().stream()
                        .filter(pair -> !rights.containsKey(pair.key()))
                        .toList()),
                often(here.subtractByKey(there, partitioner).collect()));
    }

    private static List<Option<Integer>> options(List<Integer> values) {
        return values == null
                ? List.of(Option.empty())
                : values.stream().map(Option::of).toList();
    }

    @Property(seed = SEED)
    void cogroupsUpToFour(@ForAll Pairs one, @ForAll Pairs two, @ForAll Pairs three, @ForAll Partitioner partitioner) {
        PairRdd<Integer, Integer> first = one.in(context);
        PairRdd<Integer, Integer> second = two.in(context);
        PairRdd<Integer, Integer> third = three.in(context);
        Set<Integer> keys = new TreeSet<>(one.groups().keySet());
        keys.addAll(two.groups().keySet());
        keys.addAll(three.groups().keySet());
        Map<Integer, List<List<Integer>>> expected = new TreeMap<>();
        keys.forEach(key -> expected.put(
                key,
                List.of(
                        one.groups().getOrDefault(key, List.of()),
                        two.groups().getOrDefault(key, List.of()),
                        three.groups().getOrDefault(key, List.of()))));
        assertEquals(
                expected,
                map(first.cogroup(second, third, partitioner)
                        .mapValues(found -> List.of(
                                DrawnData.sorted(found.first()),
                                DrawnData.sorted(found.second()),
                                DrawnData.sorted(found.third())))));
        Map<Integer, List<List<Integer>>> four = new TreeMap<>();
        expected.forEach(
                (key, lists) -> four.put(key, List.of(lists.get(0), lists.get(1), lists.get(2), lists.get(0))));
        assertEquals(
                four,
                map(first.groupWith(second, third, first)
                        .mapValues(found -> List.of(
                                DrawnData.sorted(found.first()),
                                DrawnData.sorted(found.second()),
                                DrawnData.sorted(found.third()),
                                DrawnData.sorted(found.fourth())))));
    }

    @Property(seed = SEED)
    void movesSortsAndFinds(@ForAll Pairs pairs, @ForAll Partitioner partitioner) {
        PairRdd<Integer, Integer> dataset = pairs.in(context);
        isSpread(dataset.partitionBy(partitioner), partitioner);
        assertEquals(often(pairs.list()), often(dataset.partitionBy(partitioner).collect()));
        PairRdd<Integer, Integer> sorted =
                dataset.repartitionAndSortWithinPartitions(partitioner, Comparator.reverseOrder());
        isSpread(sorted, partitioner);
        for (List<Pair<Integer, Integer>> part : sorted.glom().collect()) {
            List<Integer> keys = part.stream().map(Pair::key).toList();
            assertEquals(keys.stream().sorted(Comparator.reverseOrder()).toList(), keys);
        }
        PairRdd<Integer, Integer> inOrder = dataset.sortByKey(true, 3);
        assertEquals(
                pairs.list().stream().map(Pair::key).sorted().toList(),
                inOrder.keys().collect());
        for (int key = 0; key < 4; key++) {
            int wanted = key;
            List<Integer> expected = pairs.groups().getOrDefault(key, List.of());
            assertEquals(expected, sorted(dataset.lookup(key)));
            assertEquals(expected, sorted(inOrder.lookup(key)));
            Map<Pair<Integer, Integer>, Long> ranged = often(pairs.list().stream()
                    .filter(pair -> pair.key() >= wanted && pair.key() <= wanted + 3)
                    .toList());
            assertEquals(ranged, often(dataset.filterByRange(key, key + 3).collect()));
            assertEquals(ranged, often(inOrder.filterByRange(key, key + 3).collect()));
        }
    }

    @Property(seed = SEED)
    void valuesChangeUnderTheirKeys(@ForAll Pairs pairs, @ForAll Partitioner partitioner) {
        PairRdd<Integer, Integer> spread = pairs.in(context).partitionBy(partitioner);
        PairRdd<Integer, Integer> changed = spread.mapValues(value -> value + 1)
                .flatMapValues(value -> List.of(value, -value).iterator())
                .filter(pair -> pair.value() > 0)
                .sample(false, 1.0);
        isSpread(changed, partitioner);
        assertEquals(
                often(pairs.list().stream()
                        .map(pair -> Pair.of(pair.key(), pair.value() + 1))
                        .toList()),
                often(changed.collect()));
        isSpread(changed.union(spread), partitioner);
        assertEquals(pairs.list().size() * 2L, changed.union(spread).count());
        assertEquals(often(new HashSet<>(pairs.list())), often(spread.distinct().collect()));
    }

    @Property(seed = SEED)
    void countsAndSamplesByKey(@ForAll Pairs pairs, @ForAll boolean withReplacement, @ForAll long seed) {
        PairRdd<Integer, Integer> dataset = pairs.in(context);
        Map<Integer, Long> counts = new HashMap<>();
        pairs.groups().forEach((key, values) -> counts.put(key, (long) values.size()));
        assertEquals(counts, dataset.countByKey());
        assertEquals(often(pairs.list()), dataset.countByValue());
        Map<Integer, Long> distinct = new TreeMap<>();
        pairs.groups()
                .forEach((key, values) ->
                        distinct.put(key, values.stream().distinct().count()));
        assertEquals(distinct, map(dataset.countApproxDistinctByKey(0.01)));
        Map<Integer, Double> fractions = Map.of(0, 0.0, 1, 0.3, 2, 0.5, 3, 1.0);
        Map<Integer, Long> exact = new HashMap<>();
        fractions.forEach((key, fraction) -> {
            long count = (long) Math.ceil(fraction * counts.getOrDefault(key, 0L));
            if (count > 0) {
                exact.put(key, count);
            }
        });
        PairRdd<Integer, Integer> drawn = dataset.sampleByKeyExact(withReplacement, fractions, seed);
        assertEquals(exact, drawn.countByKey());
        assertTrue(pairs.list().containsAll(drawn.collect()));
        List<Pair<Integer, Integer>> some =
                dataset.sampleByKey(withReplacement, fractions, seed).collect();
        assertTrue(pairs.list().containsAll(some));
        assertTrue(some.stream().noneMatch(pair -> pair.key() == 0 || pair.key() > 3));
    }
}
