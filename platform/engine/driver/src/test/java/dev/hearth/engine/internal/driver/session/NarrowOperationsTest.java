package dev.hearth.engine.internal.driver.session;

import static dev.hearth.engine.internal.driver.session.RandomDataset.often;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.engine.internal.driver.session.RandomDataset.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Compares narrow operations, and those that group equal elements, with plain collections. */
class NarrowOperationsTest extends OperationsFixture {
    @Property
    void unionHasAllPartitionsInOrder(@ForAll Numbers one, @ForAll Numbers two, @ForAll Numbers three) {
        Rdd<Integer> union =
                context.union(List.of(one.in(context), two.in(context).map(number -> number + 1), three.in(context)));
        List<Integer> expected = new ArrayList<>(one.list());
        two.list().forEach(number -> expected.add(number + 1));
        expected.addAll(three.list());
        assertEquals(one.partitions() + two.partitions() + three.partitions(), union.partitions());
        assertEquals(expected, union.collect());
        List<Integer> twice = new ArrayList<>(expected);
        twice.addAll(expected);
        assertEquals(twice, union.union(union).collect());
    }

    @Property
    void coalescedPartitionsAreNeighboursOfNearlyEqualNumber(
            @ForAll Numbers numbers, @ForAll @IntRange(min = 1, max = 7) int partitions) {
        Rdd<Integer> coalesced = numbers.in(context).map(number -> number * 2).coalesce(partitions);
        assertEquals(Math.min(partitions, numbers.partitions()), coalesced.partitions());
        assertEquals(numbers.list().stream().map(number -> number * 2).toList(), coalesced.collect());
        List<List<List<Integer>>> cut = RandomDataset.cut(numbers.parts(), coalesced.partitions());
        assertEquals(
                cut.stream()
                        .map(parts -> parts.stream().mapToInt(List::size).sum())
                        .toList(),
                coalesced.glom().map(List::size).collect());
    }

    @Property
    void repartitionKeepsAllElementsEvenly(
            @ForAll Numbers numbers, @ForAll @IntRange(min = 1, max = 7) int partitions) {
        Rdd<Integer> spread = numbers.in(context).repartition(partitions);
        assertEquals(partitions, spread.partitions());
        assertEquals(often(numbers.list()), often(spread.collect()));
        List<Integer> sizes = spread.glom().map(List::size).collect();
        assertTrue(Collections.max(sizes) - Collections.min(sizes) <= numbers.partitions(), () -> "sizes " + sizes);
        assertEquals(
                often(numbers.list()),
                often(numbers.unkept(context).coalesce(partitions, true).collect()));
    }

    @Property
    void zipsNumbersAndPicks(@ForAll Numbers numbers) {
        Rdd<Integer> dataset = numbers.in(context);
        assertEquals(
                numbers.list().stream().map(number -> Pair.of(number, -number)).toList(),
                dataset.zip(dataset.map(number -> -number)).collect());
        assertEquals(
                IntStream.range(0, numbers.list().size())
                        .mapToObj(place -> Pair.of(numbers.list().get(place), (long) place))
                        .toList(),
                dataset.zipWithIndex().collect());
        List<Long> ids = dataset.zipWithUniqueId().values().collect();
        assertEquals(numbers.list().size(), new HashSet<>(ids).size());
        assertEquals(
                numbers.parts().stream()
                        .map(part -> part.stream().mapToInt(Integer::intValue).sum())
                        .toList(),
                dataset.zipPartitions(dataset, (left, right) -> {
                            int sum = 0;
                            while (left.hasNext()) {
                                sum += left.next() + 0 * right.next();
                            }
                            return List.of(sum).iterator();
                        })
                        .collect());
        assertEquals(numbers.parts(), dataset.glom().collect());
        List<Integer> backwards = IntStream.range(0, numbers.partitions())
                .mapToObj(part -> numbers.partitions() - 1 - part)
                .toList();
        List<Integer> expected = new ArrayList<>();
        backwards.forEach(part -> expected.addAll(numbers.parts().get(part)));
        assertEquals(expected, dataset.pick(backwards).collect());
    }

    @Property
    void cartesianPairsEachWithEach(@ForAll Numbers left, @ForAll Numbers right) {
        List<Pair<Integer, Integer>> expected = new ArrayList<>();
        left.list().forEach(here -> right.list().forEach(live -> expected.add(Pair.of(here, live))));
        List<Pair<Integer, Integer>> found =
                left.in(context).cartesian(right.in(context)).collect();
        assertEquals(often(expected), often(found));
    }

    @Property
    void setOperationsMatchCollections(
            @ForAll Numbers left, @ForAll Numbers right, @ForAll @IntRange(min = 1, max = 5) int partitions) {
        Rdd<Integer> here = left.in(context);
        Rdd<Integer> live = right.in(context);
        Set<Integer> both = new HashSet<>(left.list());
        both.retainAll(right.list());
        assertEquals(
                often(new HashSet<>(left.list())),
                often(here.distinct(partitions).collect()));
        assertEquals(often(both), often(here.intersection(live, partitions).collect()));
        List<Integer> only = left.list().stream()
                .filter(number -> !right.list().contains(number))
                .toList();
        assertEquals(often(only), often(here.subtract(live, partitions).collect()));
        assertEquals(often(only), often(here.subtract(live).collect()));
    }

    @Property
    void sortsByAnyKey(
            @ForAll Numbers numbers, @ForAll boolean ascending, @ForAll @IntRange(min = 1, max = 5) int partitions) {
        List<Integer> expected = new ArrayList<>(RandomDataset.sorted(numbers.list()));
        if (!ascending) {
            Collections.reverse(expected);
        }
        assertEquals(
                expected,
                numbers.in(context)
                        .sortBy(number -> number * 10L, ascending, partitions)
                        .collect());
    }

    @Property
    void samplesAreSubsetsAndRepeatableBySeed(
            @ForAll Numbers numbers, @ForAll @DoubleRange(min = 0, max = 1) double fraction, @ForAll long seed) {
        Rdd<Integer> dataset = numbers.in(context);
        List<Integer> sample = dataset.sample(false, fraction, seed).collect();
        often(sample)
                .forEach((number, count) ->
                        assertTrue(count <= often(numbers.list()).get(number)));
        assertEquals(sample, dataset.sample(false, fraction, seed).collect());
        assertTrue(numbers.list()
                .containsAll(dataset.sample(true, 2 * fraction, seed).collect()));
        List<Integer> parts = new ArrayList<>();
        dataset.randomSplit(new double[] {1, fraction, 2}, seed).forEach(part -> parts.addAll(part.collect()));
        assertEquals(often(numbers.list()), often(parts));
        assertEquals(numbers.list(), dataset.sample(false, 1, seed).collect());
        assertEquals(List.of(), dataset.sample(false, 0, seed).collect());
    }

    @Property(tries = 10)
    void pipesLinesThroughAProcess(@ForAll Numbers numbers) {
        assertEquals(
                numbers.list().stream().map(String::valueOf).toList(),
                numbers.in(context).pipe("cat").collect());
    }

    @Property
    void nests(@ForAll Numbers one, @ForAll Numbers two, @ForAll @IntRange(min = 1, max = 4) int partitions) {
        Rdd<Integer> shuffled = two.in(context).repartition(partitions).map(number -> number);
        Rdd<Integer> nested = one.in(context)
                .union(shuffled)
                .coalesce(partitions)
                .map(number -> number + 1)
                .union(one.in(context).filter(number -> number > 0));
        List<Integer> expected = Stream.of(
                        one.list().stream().map(number -> number + 1),
                        two.list().stream().map(number -> number + 1),
                        one.list().stream().filter(number -> number > 0))
                .flatMap(part -> part)
                .toList();
        assertEquals(often(expected), often(nested.collect()));
        assertEquals(expected.size(), nested.zip(nested.map(number -> number)).count());
        assertEquals(often(new HashSet<>(expected)), often(nested.distinct().collect()));
    }
}
