package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.driver.blocks.PersistedDatasetManager;
import dev.hearth.engine.internal.storage.BlockStore;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random plans over datasets that are persisted and unpersisted, compared with collections, in 1 MiB of memory: blocks
 * are evicted, unrolled and moved to disk.
 */
@Timeout(120)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class PersistedPlansTest {
    private static final Map<String, String> LITTLE = Map.of("hearth.memory.total", "1m");
    private static final List<StorageLevel> LEVELS = List.of(StorageLevel.values());
    private static final int DATASETS = 8;
    private static final int ACTIONS = 40;
    private static final int PARTITIONS_MAX = 6;
    private static final int ELEMENTS_MAX = 4_000;
    private static final int KEYS = 500;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    /** A mutable element. */
    private static final class Row implements Serializable {
        private static final long serialVersionUID = 1L;

        final int[] cells;
        int changes;

        Row(int number) {
            cells = IntStream.range(number, number + 20).toArray();
        }

        @Override
        public String toString() {
            return "row " + cells[0] + " " + changes;
        }
    }

    /** A dataset with its expected elements, in some order, and the number of elements that tasks have computed. */
    private record Made(Rdd<?> dataset, List<String> expected, Accumulator<Long, Long> computed, int below) {}

    private static List<String> sorted(List<?> elements) {
        return elements.stream().map(String::valueOf).sorted().toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void givesTheResultsOfCollections(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CompressionCodec[] codecs = CompressionCodec.values();
        CompressionCodec codec = codecs[random.nextInt(codecs.length)];
        HearthContext context =
                local.open(Map.of("hearth.memory.total", "1m", "hearth.io.compression.codec", codec.toString()));
        BlockStore blocks = ((DriverContext) context).driver().data().kept();
        PersistedDatasetManager keeper = ((DriverContext) context).driver().keeper();
        List<Made> all = new ArrayList<>();
        all.add(first(context, random));
        while (all.size() < DATASETS) {
            all.add(next(context, all.size() - 1, all.get(all.size() - 1), random));
        }
        for (int action = 0; action < ACTIONS; action++) {
            Made created = all.get(random.nextInt(all.size()));
            StorageLevel level = LEVELS.get(random.nextInt(LEVELS.size()));
            switch (random.nextInt(4)) {
                case 0 -> created.dataset().unpersist(random.nextBoolean());
                case 1 -> {
                    if (created.dataset().storageLevel() == StorageLevel.NONE && level != StorageLevel.NONE) {
                        created.dataset().persist(level);
                    }
                }
                default -> act(created, keeper, random);
            }
        }
        all.forEach(created -> created.dataset().unpersist(true));
        assertEquals(0, blocks.memoryBytes());
        assertEquals(0, blocks.diskBytes());
    }

    private static void act(Made created, PersistedDatasetManager keeper, SplittableRandom random) {
        int[] partitions = IntStream.range(0, created.dataset().partitions()).toArray();
        boolean persisted = keeper.areThere(created.dataset().id(), partitions);
        long before = created.computed().value();
        switch (random.nextInt(3)) {
            case 0 -> assertEquals(created.expected().size(), created.dataset().count());
            case 1 -> assertEquals(created.expected(), sorted(created.dataset().collect()));
            default -> {
                int wanted = random.nextInt(50);
                List<String> taken = sorted(created.dataset().take(wanted));
                assertEquals(Math.min(wanted, created.expected().size()), taken.size());
                assertTrue(created.expected().containsAll(taken));
            }
        }
        long computed = created.computed().value() - before;
        assertTrue(computed <= created.below(), "each element once: " + computed + " of " + created.below());
        if (persisted) {
            assertEquals(0, computed, "it is cached");
        }
    }

    private static Made first(HearthContext context, SplittableRandom random) {
        List<Integer> numbers =
                IntStream.range(0, 1 + random.nextInt(ELEMENTS_MAX)).boxed().toList();
        int partitions = 1 + random.nextInt(PARTITIONS_MAX);
        return new Made(context.parallelize(numbers, partitions), sorted(numbers), context.longAccumulator("given"), 0);
    }

    private static Made next(HearthContext context, int number, Made from, SplittableRandom random) {
        Accumulator<Long, Long> computed = context.longAccumulator("computed " + number);
        return switch (random.nextInt(5)) {
            case 0 -> texts(from, computed, "text " + number + " of ");
            case 1 -> rows(from, computed);
            case 2 -> changed(from, computed);
            case 3 -> sums(from, computed, 1 + random.nextInt(PARTITIONS_MAX));
            default -> some(from, computed);
        };
    }

    private static Made made(Rdd<?> dataset, Stream<?> expected, Accumulator<Long, Long> computed, Made from) {
        return new Made(
                dataset, sorted(expected.toList()), computed, from.expected().size());
    }

    private static Made texts(Made from, Accumulator<Long, Long> computed, String before) {
        Rdd<String> texts = from.dataset().map(element -> {
            computed.add(1L);
            return before + element;
        });
        return made(texts, from.expected().stream().map(before::concat), computed, from);
    }

    private static Made rows(Made from, Accumulator<Long, Long> computed) {
        Rdd<Row> rows = from.dataset().map(element -> {
            computed.add(1L);
            return new Row(String.valueOf(element).length());
        });
        return made(rows, from.expected().stream().map(text -> new Row(text.length())), computed, from);
    }

    /** Changes the elements that it reads; cached elements must not change with them. */
    private static Made changed(Made from, Accumulator<Long, Long> computed) {
        Rdd<String> changed = from.dataset().map(element -> {
            computed.add(1L);
            if (element instanceof Row row) {
                row.changes++;
            }
            return String.valueOf(element);
        });
        Stream<String> expected = from.expected().stream()
                .map(text -> text.startsWith("row ") && text.endsWith(" 0")
                        ? text.substring(0, text.length() - 1) + "1"
                        : text);
        return made(changed, expected, computed, from);
    }

    private static Made sums(Made from, Accumulator<Long, Long> computed, int partitions) {
        Rdd<Pair<Integer, Integer>> sums = from.dataset()
                .mapToPair(element -> {
                    computed.add(1L);
                    return Pair.of(Math.floorMod(String.valueOf(element).hashCode(), KEYS), 1);
                })
                .reduceByKey(Integer::sum, partitions);
        Map<Integer, Integer> expected = new TreeMap<>();
        from.expected().forEach(text -> expected.merge(Math.floorMod(text.hashCode(), KEYS), 1, Integer::sum));
        return made(
                sums,
                expected.entrySet().stream().map(entry -> Pair.of(entry.getKey(), entry.getValue())),
                computed,
                from);
    }

    private static Made some(Made from, Accumulator<Long, Long> computed) {
        Rdd<?> some = from.dataset().filter(element -> {
            computed.add(1L);
            return String.valueOf(element).hashCode() % 3 != 0;
        });
        return made(some, from.expected().stream().filter(text -> text.hashCode() % 3 != 0), computed, from);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "NONE",
                "MEMORY_ONLY_2",
                "MEMORY_ONLY_SER_2",
                "DISK_ONLY_2",
                "DISK_ONLY_3",
                "MEMORY_AND_DISK_2",
                "MEMORY_AND_DISK_SER_2"
            })
    void neverFailsForLackOfMemory(StorageLevel level) {
        HearthContext context = local.open(LITTLE);
        List<Integer> numbers = IntStream.range(0, 20_000).boxed().toList();
        Rdd<int[]> large = context.parallelize(numbers, 4)
                .map(n -> IntStream.range(n, n + 100).toArray())
                .persist(level);
        Rdd<String> texts =
                context.parallelize(numbers, 4).map(n -> "text of number " + n).persist(level);
        for (int round = 0; round < 3; round++) {
            assertEquals(20_000, large.count());
            assertEquals(20_000, texts.count());
            assertEquals(19_999, large.map(array -> array[0]).reduce(Math::max));
        }
        BlockStore blocks = ((DriverContext) context).driver().data().kept();
        assertTrue(blocks.memoryBytes() <= 1 << 20, "within the budget");
        assertEquals(level.usesDisk(), blocks.diskBytes() > 0);
        large.unpersist(true);
        texts.unpersist(true);
        assertEquals(0, blocks.memoryBytes() + blocks.diskBytes());
    }

    @Test
    void servesSeveralJobsAtOnce() throws Exception {
        HearthContext context = local.open(LITTLE);
        List<Integer> numbers = IntStream.range(0, 10_000).boxed().toList();
        Rdd<Row> rows = context.parallelize(numbers, 8).map(Row::new).persist(StorageLevel.MEMORY_AND_DISK);
        List<JobFuture<Long>> counts = new ArrayList<>();
        List<JobFuture<List<String>>> texts = new ArrayList<>();
        for (int job = 0; job < 6; job++) {
            counts.add(rows.countAsync());
            texts.add(rows.map(row -> {
                        row.changes++;
                        return row.toString();
                    })
                    .collectAsync());
        }
        rows.unpersist(false);
        List<String> expected = numbers.stream().map(n -> "row " + n + " 1").toList();
        for (int job = 0; job < 6; job++) {
            assertEquals(10_000, counts.get(job).get(60, TimeUnit.SECONDS));
            assertEquals(expected, texts.get(job).get(60, TimeUnit.SECONDS));
        }
    }
}
