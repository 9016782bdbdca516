package dev.hearth.engine.internal.driver;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Data that operations are compared over: few keys, so that many are the same, cut and spread in many ways. */
public final class DrawnData extends DomainContextBase {
    private static final int ELEMENTS_MAX = 60;
    private static final int KEYS = 12;
    private static final int PARTITIONS_MAX = 5;

    /** How a dataset is kept for those who read it again: at a level, in a checkpoint, both or not at all. */
    public record Keeping(StorageLevel level, boolean reliable, boolean local) {
        <R extends Rdd<?>> R of(R dataset) {
            if (level != StorageLevel.NONE) {
                dataset.persist(level);
            }
            if (reliable) {
                dataset.checkpoint();
            } else if (local) {
                dataset.localCheckpoint();
            }
            return dataset;
        }

        /** Whether what was kept stays, whatever room there is. */
        boolean lasts() {
            return level.usesDisk() || reliable || local;
        }
    }

    /** Numbers, how they are cut, and how they are kept. */
    public record Numbers(List<Integer> list, int partitions, Keeping keeping) {
        Rdd<Integer> in(HearthContext context) {
            return keeping.of(context.parallelize(list, partitions));
        }

        /** What the partitions hold. */
        List<List<Integer>> parts() {
            return cut(list, partitions);
        }
    }

    /** Pairs, how they are cut, what they are spread by, if anything, and how they are kept. */
    public record Pairs(
            List<Pair<Integer, Integer>> list, int partitions, Optional<Partitioner> spread, Keeping keeping) {
        PairRdd<Integer, Integer> in(HearthContext context) {
            PairRdd<Integer, Integer> pairs = context.parallelizePairs(list, partitions);
            return keeping.of(spread.map(pairs::partitionBy).orElse(pairs));
        }

        Map<Integer, List<Integer>> groups() {
            Map<Integer, List<Integer>> groups = new TreeMap<>();
            list.forEach(pair -> groups.computeIfAbsent(pair.key(), missing -> new ArrayList<>())
                    .add(pair.value()));
            groups.values().forEach(values -> values.sort(null));
            return groups;
        }
    }

    /** By the last digit, for example. */
    public record Remainders(int partitions) implements Partitioner {
        @Override
        public int partition(Object key) {
            return Math.floorMod((Integer) key, partitions);
        }
    }

    @Provide
    Arbitrary<Numbers> numbers() {
        return Combinators.combine(
                        Arbitraries.integers().between(-KEYS, KEYS).list().ofMaxSize(ELEMENTS_MAX),
                        partitions(),
                        keepings())
                .as(Numbers::new);
    }

    @Provide
    Arbitrary<Pairs> pairs() {
        Arbitrary<Integer> keys = Arbitraries.integers().between(0, KEYS);
        return Combinators.combine(
                        Combinators.combine(keys, keys)
                                .as((key, value) -> Pair.of(key, value))
                                .list()
                                .ofMaxSize(ELEMENTS_MAX),
                        partitions(),
                        partitioners().optional(),
                        keepings())
                .as(Pairs::new);
    }

    @Provide
    Arbitrary<Partitioner> partitioners() {
        return Arbitraries.oneOf(
                partitions().map(HashPartitioner::new),
                partitions().map(Remainders::new),
                partitions()
                        .map(count -> new RangePartitioner<>(
                                IntStream.range(1, count)
                                        .mapToObj(bound -> bound * 3)
                                        .toList(),
                                Optional.empty(),
                                false)));
    }

    private static Arbitrary<Keeping> keepings() {
        return Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just(new Keeping(StorageLevel.NONE, false, false))),
                Tuple.of(6, Arbitraries.of(StorageLevel.class).map(level -> new Keeping(level, false, false))),
                Tuple.of(1, Arbitraries.of(StorageLevel.class).map(level -> new Keeping(level, true, false))),
                Tuple.of(1, Arbitraries.of(StorageLevel.class).map(level -> new Keeping(level, false, true))));
    }

    private static Arbitrary<Integer> partitions() {
        return Arbitraries.integers().between(1, PARTITIONS_MAX);
    }

    static <T> List<List<T>> cut(List<T> list, int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(part -> list.subList(part * list.size() / partitions, (part + 1) * list.size() / partitions))
                .toList();
    }

    /** How often each is there, whatever the order. */
    static <T> Map<T, Long> often(Collection<? extends T> elements) {
        return elements.stream()
                .collect(Collectors.groupingBy(element -> (T) element, HashMap::new, Collectors.counting()));
    }

    public static List<Integer> sorted(Collection<Integer> numbers) {
        return numbers.stream().sorted().toList();
    }
}
