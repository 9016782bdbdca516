package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.ResourceProfileBuilder;
import dev.hearth.api.resource.TaskResourceRequests;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/**
 * Random datasets for comparing operations with plain collections. They have few keys, so that many or nearly all are
 * equal, elements of any {@link RandomKind}, nulls, and many forms of partitioning, without partitions included.
 */
public final class RandomDataset extends DomainContextBase {
    private static final int ELEMENTS_MAX = 60;
    private static final int KEYS = 12;
    private static final int PARTITIONS_MAX = 5;
    private static final double NULLS = 0.05;
    private static final ResourceProfile MORE_CORES = new ResourceProfileBuilder()
            .require(new TaskResourceRequests().cpus(OperationsFixture.TASK_CORES))
            .build();

    /** How a dataset is persisted: at a storage level, in a checkpoint, both or not at all. */
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

        /** Whether persisted data survives any lack of memory. */
        boolean lasts() {
            return level.usesDisk() || reliable || local;
        }
    }

    /** Numbers with their partitioning and persistence. */
    public record Numbers(List<Integer> list, int partitions, Keeping keeping) {
        Rdd<Integer> in(HearthContext context) {
            return keeping.of(unkept(context));
        }

        Rdd<Integer> unkept(HearthContext context) {
            return given(context, list, partitions);
        }

        /** The elements by partition. */
        List<List<Integer>> parts() {
            return cut(list, partitions);
        }
    }

    /** Elements of a kind, some of them null. */
    public record Things(RandomKind kind, List<Object> list, int partitions, Keeping keeping) {
        Rdd<Object> in(HearthContext context) {
            return keeping.of(given(context, list, partitions));
        }

        /** The elements by partition. */
        List<List<Object>> parts() {
            return cut(list, partitions);
        }
    }

    /** Pairs with keys of a kind, with their partitioning, partitioner if any, and persistence. */
    public record Pairs(
            RandomKind kind,
            List<Pair<Object, Integer>> list,
            int partitions,
            Optional<Partitioner> spread,
            Keeping keeping) {
        PairRdd<Object, Integer> in(HearthContext context) {
            PairRdd<Object, Integer> pairs = context.pairs(given(context, list, partitions));
            return keeping.of(spread.map(pairs::partitionBy).orElse(pairs));
        }

        Map<Object, List<Integer>> groups() {
            Map<Object, List<Integer>> groups = new HashMap<>();
            list.forEach(pair -> groups.computeIfAbsent(pair.key(), missing -> new ArrayList<>())
                    .add(pair.value()));
            groups.replaceAll((key, values) -> sorted(values));
            return groups;
        }
    }

    /** A partitioner by remainder; null goes to the last partition. */
    public record Remainders(int partitions) implements Partitioner {
        @Override
        public int partition(Object key) {
            return key == null ? partitions - 1 : Math.floorMod(HashPartitioner.hash(key), partitions);
        }
    }

    @Provide
    Arbitrary<Numbers> numbers() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        15,
                        Combinators.combine(places(), partitions(), keepings()).as(Numbers::new)),
                Tuple.of(1, keepings().map(keeping -> new Numbers(List.of(), 0, keeping))));
    }

    @Provide
    Arbitrary<Things> things() {
        Arbitrary<RandomKind> kinds = Arbitraries.of(RandomKind.class);
        return Arbitraries.frequencyOf(
                Tuple.of(
                        15,
                        Combinators.combine(kinds, placesOrNull(), partitions(), keepings())
                                .as((kind, places, partitions, keeping) ->
                                        new Things(kind, of(kind, places), partitions, keeping))),
                Tuple.of(1, keepings().map(keeping -> new Things(RandomKind.MIXED, new ArrayList<>(), 0, keeping))));
    }

    @Provide
    Arbitrary<Pairs> pairs() {
        Arbitrary<Integer> values = Arbitraries.integers().between(0, KEYS).injectNull(NULLS);
        Arbitrary<List<Integer>> all = values.list().ofSize(ELEMENTS_MAX);
        return Arbitraries.frequencyOf(
                Tuple.of(
                        15,
                        Combinators.combine(
                                        Arbitraries.of(RandomKind.class),
                                        placesOrNull(),
                                        all,
                                        partitions(),
                                        partitioners().optional(),
                                        keepings())
                                .as((kind, keys, some, partitions, spread, keeping) ->
                                        new Pairs(kind, pairs(of(kind, keys), some), partitions, spread, keeping))),
                Tuple.of(
                        1,
                        keepings()
                                .map(keeping ->
                                        new Pairs(RandomKind.MIXED, new ArrayList<>(), 0, Optional.empty(), keeping))));
    }

    @Provide
    Arbitrary<Partitioner> partitioners() {
        Arbitrary<List<Object>> bounds = Arbitraries.integers()
                .between(-KEYS, KEYS)
                .set()
                .ofMaxSize(PARTITIONS_MAX - 1)
                .map(places -> places.stream()
                        .map(RandomKind.MIXED::of)
                        .distinct()
                        .sorted(RandomKind.order())
                        .toList());
        return Arbitraries.oneOf(
                partitions().map(HashPartitioner::new),
                partitions().map(Remainders::new),
                Combinators.combine(bounds, Arbitraries.of(false, true))
                        .as((keys, descending) ->
                                new RangePartitioner<>(keys, Optional.of(RandomKind.order()), descending)));
    }

    /** The numbers that elements are built from; now and then nearly all are equal. */
    private static Arbitrary<List<Integer>> places() {
        Arbitrary<Integer> any = Arbitraries.integers().between(-KEYS, KEYS);
        Arbitrary<Integer> skewed = Arbitraries.frequencyOf(Tuple.of(9, Arbitraries.just(1)), Tuple.of(1, any));
        return Arbitraries.frequencyOf(
                Tuple.of(3, any.list().ofMaxSize(ELEMENTS_MAX)),
                Tuple.of(1, skewed.list().ofMaxSize(ELEMENTS_MAX)));
    }

    private static Arbitrary<List<Integer>> placesOrNull() {
        return Combinators.combine(places(), Arbitraries.integers().between(0, 2 * ELEMENTS_MAX))
                .as((places, missing) -> {
                    List<Integer> some = new ArrayList<>(places);
                    for (int at = missing; at < some.size(); at += 7) {
                        some.set(at, null);
                    }
                    return some;
                });
    }

    private static List<Object> of(RandomKind kind, List<Integer> places) {
        return places.stream()
                .map(place -> place == null ? null : kind.of(place))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<Pair<Object, Integer>> pairs(List<Object> keys, List<Integer> values) {
        return IntStream.range(0, keys.size())
                .mapToObj(at -> Pair.of(keys.get(at), values.get(at)))
                .collect(Collectors.toCollection(ArrayList::new));
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

    private static <T> Rdd<T> given(HearthContext context, List<T> list, int partitions) {
        Rdd<T> dataset = partitions == 0 ? context.emptyRdd() : context.parallelize(list, partitions);
        return list.size() % 4 > 0 || dataset.resourceProfile().isPresent()
                ? dataset
                : dataset.withResources(MORE_CORES); // a quarter of the datasets
    }

    static <T> List<List<T>> cut(List<T> list, int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(part -> list.subList(part * list.size() / partitions, (part + 1) * list.size() / partitions))
                .toList();
    }

    /** The count of each element, regardless of order. */
    static <T> Map<T, Long> often(Collection<? extends T> elements) {
        Map<T, Long> often = new HashMap<>();
        elements.forEach(element -> often.merge(element, 1L, Long::sum));
        return often;
    }

    /** Ascending, null first. */
    public static List<Integer> sorted(Collection<Integer> numbers) {
        return numbers.stream()
                .sorted(Comparator.nullsFirst(Comparator.<Integer>naturalOrder()))
                .toList();
    }
}
