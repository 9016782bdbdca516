package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.function.Combiner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares operations by key with plain collections, on random pairs of several types. A failure names its seed. */
@Timeout(60)
class PairOperationsTest {
    private static final int PAIRS_MAX = 300;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    /** Types of keys and values. */
    enum Kind {
        INTEGERS,
        LONGS,
        STRINGS,
        LISTS,
        MIXED;

        Object value(Random random) {
            int number = random.nextInt(40);
            return switch (this) {
                case INTEGERS -> number;
                case LONGS -> (long) number << 33;
                case STRINGS -> "k" + number;
                case LISTS -> new ArrayList<>(List.of(number, "x"));
                case MIXED -> number % 3 == 0 ? (Object) number : number % 3 == 1 ? "k" + number : List.of(number);
            };
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void groupsReducesCombinesJoinsAndCogroupsAsCollectionsDo(Kind kind) {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            List<Pair<Object, Object>> left = pairs(kind, random);
            List<Pair<Object, Object>> right = pairs(kind, random);
            String which = kind + " seed " + seed;
            PairRdd<Object, Object> here = distributed(left, random);
            PairRdd<Object, Object> live = distributed(right, random);
            int partitions = 1 + random.nextInt(6);

            Map<Object, List<Object>> groups = group(left);
            assertEquals(groups, counted(here.groupByKey(partitions).collectAsMap()), which);
            assertEquals(
                    sizes(left),
                    here.mapValues(value -> 1)
                            .reduceByKey(Integer::sum, partitions)
                            .collectAsMap(),
                    which);
            assertEquals(
                    groups,
                    counted(here.combineByKey(new Gathering(), partitions).collectAsMap()),
                    which);
            assertEquals(
                    inOrder(joined(left, right)),
                    inOrder(here.join(live, partitions).collect()),
                    which);
            Map<Object, List<Object>> others = group(right);
            for (Pair<Object, Pair<List<Object>, List<Object>>> both :
                    here.cogroup(live, partitions).collect()) {
                assertEquals(
                        groups.getOrDefault(both.key(), List.of()),
                        counted(both.value().key()),
                        which);
                assertEquals(
                        others.getOrDefault(both.key(), List.of()),
                        counted(both.value().value()),
                        which);
            }
        }
    }

    @ParameterizedTest(name = "ascending {0}")
    @ValueSource(booleans = {true, false})
    void sortsByKeyOverPartitions(boolean ascending) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            List<Pair<Integer, String>> input = new ArrayList<>();
            for (int i = random.nextInt(PAIRS_MAX); i > 0; i--) {
                input.add(Pair.of(random.nextInt(1 + random.nextInt(200)), "v" + i));
            }
            PairRdd<Integer, String> pairs =
                    context.parallelize(input, 1 + random.nextInt(4)).mapToPair(pair -> pair);
            List<Integer> keys = input.stream().map(Pair::key).sorted().collect(Collectors.toList());
            if (!ascending) {
                Collections.reverse(keys);
            }
            List<Pair<Integer, String>> sorted =
                    pairs.sortByKey(ascending, 1 + random.nextInt(5)).collect();
            assertEquals(keys, sorted.stream().map(Pair::key).toList(), "seed " + seed);
            assertTrue(sorted.containsAll(input), "seed " + seed);
        }
    }

    private static final class Gathering implements Combiner<Object, List<Object>> {
        private static final long serialVersionUID = 1L;

        @Override
        public List<Object> create(Object value) {
            return new ArrayList<>(List.of(value));
        }

        @Override
        public List<Object> add(List<Object> combined, Object value) {
            combined.add(value);
            return combined;
        }

        @Override
        public List<Object> join(List<Object> left, List<Object> right) {
            left.addAll(right);
            return left;
        }
    }

    private PairRdd<Object, Object> distributed(List<Pair<Object, Object>> pairs, Random random) {
        return context.parallelize(pairs, 1 + random.nextInt(4)).mapToPair(pair -> pair);
    }

    private static List<Pair<Object, Object>> pairs(Kind kind, Random random) {
        List<Pair<Object, Object>> pairs = new ArrayList<>();
        for (int i = random.nextInt(PAIRS_MAX); i > 0; i--) {
            pairs.add(Pair.of(kind.value(random), kind.value(random)));
        }
        return pairs;
    }

    private static Map<Object, List<Object>> group(List<Pair<Object, Object>> pairs) {
        Map<Object, List<Object>> groups = new HashMap<>();
        pairs.forEach(pair ->
                groups.computeIfAbsent(pair.key(), missing -> new ArrayList<>()).add(pair.value()));
        return counted(groups);
    }

    private static Map<Object, Integer> sizes(List<Pair<Object, Object>> pairs) {
        Map<Object, Integer> sizes = new HashMap<>();
        pairs.forEach(pair -> sizes.merge(pair.key(), 1, Integer::sum));
        return sizes;
    }

    /** The values, sorted. */
    private static Map<Object, List<Object>> counted(Map<Object, ? extends List<Object>> groups) {
        Map<Object, List<Object>> counted = new HashMap<>();
        groups.forEach((key, values) -> counted.put(key, counted(values)));
        return counted;
    }

    private static List<Object> counted(List<Object> values) {
        return values.stream().sorted(Comparator.comparing(String::valueOf)).toList();
    }

    private static List<Pair<Object, Pair<Object, Object>>> joined(
            List<Pair<Object, Object>> left, List<Pair<Object, Object>> right) {
        List<Pair<Object, Pair<Object, Object>>> joined = new ArrayList<>();
        for (Pair<Object, Object> here : left) {
            for (Pair<Object, Object> live : right) {
                if (here.key().equals(live.key())) {
                    joined.add(Pair.of(here.key(), Pair.of(here.value(), live.value())));
                }
            }
        }
        return joined;
    }

    private static Map<String, Long> inOrder(List<?> elements) {
        return elements.stream().collect(Collectors.groupingBy(String::valueOf, TreeMap::new, Collectors.counting()));
    }
}
