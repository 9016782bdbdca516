package dev.hearth.engine.internal.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.aggregate.Pairs.Kind;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.testkit.FakeTicker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares every kind of aggregation with collections, while memory is refused and spilled at random. Keys come in the
 * order in which they were first seen where that matters, and the values of a key in the order of arrival. A failure
 * names its seed.
 */
@Timeout(120)
class AggregationTest {
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int PAIRS_MAX = 1000;
    private static final int SEEDS = 40;
    private static final int SEEDS_ON_DISK = 12;
    /** Every pair becomes a file of its own when all memory is refused, so fewer of these runs do. */
    private static final int SEEDS_ON_DISK_ALL_REFUSED = 3;

    private static final int ALL_REFUSED = 1000;

    @TempDir
    private Path directory;

    /** Adds the weights of values. The type of the sum depends on its value. */
    private static final class Weighing implements ReduceFunction<Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(Object left, Object right) {
            long sum = weight(left) + weight(right);
            return sum % 2 == 0 && sum == (int) sum ? (Object) (int) sum : (Object) sum;
        }
    }

    private static long weight(@Nullable Object value) {
        if (value instanceof Double fraction) {
            return (long) (fraction * 4);
        }
        return value instanceof Number number ? number.longValue() : value == null ? 7 : value.hashCode();
    }

    private static final class Gathering implements Combiner<Object, List<Object>> {
        private static final long serialVersionUID = 1L;

        @Override
        public List<Object> create(Object value) {
            List<Object> list = new ArrayList<>();
            list.add(value);
            return list;
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

    @ParameterizedTest(name = "{0} per mille refused, {1} spilled")
    @CsvSource({"0, 0", "100, 0", "0, 50", "30, 30", "1000, 0", "1000, 200"})
    void reducesAsAMapDoes(int refused, int spilled) {
        each(refused, spilled, (services, seed) -> {
            Random random = new Random(seed);
            var pairs = pairs(random);
            HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Weighing()));
            Pairs.send(pairs, combining, random);
            Map<Object, Long> found = new LinkedHashMap<>();
            consume(
                    combining.pairs(),
                    services,
                    random,
                    pair -> assertEquals(null, found.put(pair.key(), weight(pair.value()))));
            Map<Object, Long> expected = new LinkedHashMap<>();
            grouped(pairs)
                    .forEach((key, values) -> expected.put(
                            key,
                            values.stream().mapToLong(AggregationTest::weight).sum()));
            assertEqualMaps(expected, found, services);
            combining.close();
        });
    }

    @ParameterizedTest(name = "{0} per mille refused, {1} spilled")
    @CsvSource({"0, 0", "100, 0", "0, 50", "30, 30", "1000, 0", "1000, 200"})
    void combinesOnBothSidesAsAMapDoes(int refused, int spilled) {
        each(refused, spilled, (services, seed) -> {
            Random random = new Random(seed);
            var pairs = pairs(random);
            HashAggregator reading = HashAggregator.ofAll(services, AggregateFunction.joining(new Gathering()));
            HashAggregator writing =
                    HashAggregator.towards(reading, services, AggregateFunction.creating(new Gathering()));
            Pairs.send(pairs, writing, random);
            writing.finish();
            Map<Object, List<String>> found = new LinkedHashMap<>();
            consume(
                    reading.pairs(),
                    services,
                    random,
                    pair -> assertEquals(null, found.put(pair.key(), texts((List<?>) pair.value()))));
            assertEqualMaps(texts(grouped(pairs)), found, services);
            reading.close();
        });
    }

    @ParameterizedTest(name = "{0} per mille refused, {1} spilled")
    @CsvSource({"0, 0", "100, 0", "0, 50", "30, 30", "1000, 0", "1000, 200"})
    void groupsAsAMapDoes(int refused, int spilled) {
        each(refused, spilled, (services, seed) -> {
            Random random = new Random(seed);
            var pairs = pairs(random);
            HashGrouper grouping = new HashGrouper(services, 1);
            Pairs.send(pairs, grouping.side(0), random);
            Map<Object, List<String>> found = new LinkedHashMap<>();
            consume(
                    grouping.groups(),
                    services,
                    random,
                    pair -> assertEquals(null, found.put(pair.key(), texts((List<?>) pair.value()))));
            assertEqualMaps(texts(grouped(pairs)), found, services);
            grouping.close();
        });
    }

    @ParameterizedTest(name = "{0} per mille refused, {1} spilled")
    @CsvSource({"0, 0", "100, 0", "0, 50", "30, 30", "1000, 0", "1000, 200"})
    void cogroupsAsMapsDo(int refused, int spilled) {
        each(refused, spilled, (services, seed) -> {
            Random random = new Random(seed);
            int sides = 1 + random.nextInt(4);
            HashGrouper grouping = new HashGrouper(services, sides);
            Map<Object, List<List<String>>> expected = new LinkedHashMap<>();
            for (int side = 0; side < sides; side++) {
                int at = side;
                var pairs = pairs(random);
                Pairs.send(pairs, grouping.side(side), random);
                texts(grouped(pairs))
                        .forEach((key, values) ->
                                expected.computeIfAbsent(key, k -> lists(sides)).set(at, values));
            }
            Map<Object, List<List<String>>> found = new LinkedHashMap<>();
            consume(grouping.cogroups(), services, random, pair -> {
                List<List<String>> lists = new ArrayList<>();
                for (List<?> list : (List<?>[]) pair.value()) {
                    lists.add(texts(list));
                }
                assertEquals(null, found.put(pair.key(), lists));
            });
            assertEqualMaps(expected, found, services);
            grouping.close();
        });
    }

    @ParameterizedTest(name = "{0} per mille refused, {1} spilled")
    @CsvSource({"0, 0", "100, 0", "0, 50", "30, 30", "1000, 0", "1000, 200"})
    void joinsAsNestedLoopsDo(int refused, int spilled) {
        each(refused, spilled, (services, seed) -> {
            Random random = new Random(seed);
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            var lefts = Pairs.of(kind, randomKind(random), random.nextInt(200), 60, random);
            var rights = Pairs.of(kind, randomKind(random), random.nextInt(200), 60, random);
            HashGrouper grouping = new HashGrouper(services, 2);
            Pairs.send(lefts, grouping.side(0), random);
            Pairs.send(rights, grouping.side(1), random);
            List<String> found = new ArrayList<>();
            consume(grouping.joined(), services, random, pair -> found.add(String.valueOf(pair)));
            Map<Object, List<Object>> byKey = grouped(rights);
            List<String> expected = new ArrayList<>();
            grouped(lefts).forEach((key, values) -> {
                for (Object left : values) {
                    for (Object right : byKey.getOrDefault(key, List.of())) {
                        expected.add(String.valueOf(new Pair<>(key, new Pair<>(left, right))));
                    }
                }
            });
            if (!services.inOrder) {
                expected.sort(null);
                found.sort(null);
            }
            assertEquals(expected, found);
            grouping.close();
        });
    }

    private interface Check {
        void on(TestingAggregationServices services, long seed);
    }

    /** Runs a check with many seeds; afterwards no memory is reserved and no file is left. */
    private void each(int refused, int spilled, Check check) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            TestingAggregationServices services = new TestingAggregationServices(new Random(~seed), refused, spilled);
            services.inOrder = seed % 4 != 0;
            try {
                check.on(services, seed);
                assertEquals(0, services.memory.left(), "memory left");
                assertEquals(0, services.files.bytes(), "bytes on disk left");
                assertEquals(0, services.files.open(), "files left open");
                assertTrue(
                        services.files.openMost <= SpilledHashRuns.OPEN_MAX,
                        "files open at a time: " + services.files.openMost);
            } catch (AssertionError | RuntimeException failed) {
                throw new AssertionError("seed " + seed + ": " + failed, failed);
            }
        }
        if (refused + spilled > 0) {
            eachOnDisk(refused, spilled, check);
        }
    }

    /** As above, with real files and a random codec. */
    private void eachOnDisk(int refused, int spilled, Check check) {
        int seeds = refused == ALL_REFUSED ? SEEDS_ON_DISK_ALL_REFUSED : SEEDS_ON_DISK;
        for (long seed = SEEDS + 1; seed <= SEEDS + seeds; seed++) {
            Random random = new Random(~seed);
            CompressionCodec[] codecs = CompressionCodec.values();
            CompressionCodec codec = codecs[random.nextInt(codecs.length)];
            DiskSettings settings = new DiskSettings(List.of(directory), new CompressionSettings(codec, true, true));
            try (LocalTemporaryFiles files = LocalTemporaryFiles.of(settings, new FakeTicker())) {
                TestingAggregationServices services = new TestingAggregationServices(random, refused, spilled, files);
                check.on(services, seed);
                assertEquals(0, services.memory.left(), "memory left");
                assertEquals(0, files.bytes(), "bytes on disk left");
            } catch (AssertionError | RuntimeException failed) {
                throw new AssertionError("seed " + seed + ", " + codec + ": " + failed, failed);
            }
        }
    }

    private static List<Pair<@Nullable Object, @Nullable Object>> pairs(Random random) {
        int bound = 1 + random.nextInt(random.nextBoolean() ? 20 : 2000);
        return Pairs.of(randomKind(random), randomKind(random), random.nextInt(PAIRS_MAX), bound, random);
    }

    private static Kind randomKind(Random random) {
        return KINDS.get(random.nextInt(KINDS.size()));
    }

    private static void consume(
            Iterator<Object> pairs, TestingAggregationServices services, Random random, Consumer<Pair<?, ?>> action) {
        int singly = random.nextInt(100);
        for (int i = 0; i < singly && pairs.hasNext(); i++) {
            action.accept((Pair<?, ?>) pairs.next());
            services.memory.askByChance();
        }
        pairs.forEachRemaining(pair -> {
            services.memory.askByChance();
            action.accept((Pair<?, ?>) pair);
        });
        assertTrue(!pairs.hasNext());
    }

    private static Map<Object, List<Object>> grouped(List<Pair<@Nullable Object, @Nullable Object>> pairs) {
        Map<Object, List<Object>> groups = new LinkedHashMap<>();
        pairs.forEach(pair ->
                groups.computeIfAbsent(pair.key(), missing -> new ArrayList<>()).add(pair.value()));
        return groups;
    }

    private static List<List<String>> lists(int sides) {
        List<List<String>> lists = new ArrayList<>();
        for (int side = 0; side < sides; side++) {
            lists.add(List.of());
        }
        return lists;
    }

    /** Asserts equal maps, and the same order of keys where it matters. */
    private static <V> void assertEqualMaps(
            Map<Object, V> expected, Map<Object, V> found, TestingAggregationServices services) {
        assertEquals(expected, found);
        if (services.inOrder) {
            assertEquals(new ArrayList<>(expected.keySet()), new ArrayList<>(found.keySet()), "in order");
        }
    }

    private static Map<Object, List<String>> texts(Map<Object, List<Object>> groups) {
        return groups.entrySet().stream()
                .collect(
                        LinkedHashMap::new,
                        (map, entry) -> map.put(entry.getKey(), texts(entry.getValue())),
                        Map::putAll);
    }

    private static List<String> texts(List<?> values) {
        return values.stream().map(AggregationTest::text).toList();
    }

    /** With the class name, because an Integer does not equal a Long. */
    private static String text(@Nullable Object value) {
        return value instanceof String || value == null
                ? String.valueOf(value)
                : value.getClass().getSimpleName() + ":" + value;
    }
}
