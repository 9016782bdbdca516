package dev.hearth.engine.internal.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sorts random pairs beside {@link List#sort}, whatever way they come and whenever memory is refused. A failure names its seed. */
@Timeout(120)
class PairSorterTest {
    private static final int PAIRS_MAX = 6_000;

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0}")
    @EnumSource(SortedKeys.class)
    void sortsAsCollectionsDo(SortedKeys keys) throws Exception {
        for (long seed = 1; seed <= 25; seed++) {
            String which = keys + " seed " + seed;
            Random random = new Random(seed);
            List<Pair<@Nullable Object, Object>> pairs = new ArrayList<>();
            int size = random.nextInt(4) == 0 ? random.nextInt(4) : random.nextInt(PAIRS_MAX);
            int distinct = 1 + random.nextInt(2 * PAIRS_MAX);
            int nullsOf = random.nextInt(3) == 0 ? 2 + random.nextInt(50) : 0;
            for (int i = 0; i < size; i++) {
                boolean none = nullsOf > 0 && random.nextInt(nullsOf) == 0;
                pairs.add(new Pair<>(none ? null : keys.key(random, random.nextInt(distinct)), value(random, i)));
            }
            boolean descending = random.nextBoolean();
            long memory = random.nextInt(3) == 0 ? Long.MAX_VALUE / 2 : 50_000 + random.nextInt(1_000_000);
            try (SortFixture fixture =
                    new SortFixture(directory, random, memory, random.nextInt(3) == 0 ? 3 + random.nextInt(40) : 0)) {
                List<Pair<?, ?>> sorted = fixture.sort(pairs, keys.order(), descending, which);
                assertSorted(pairs, sorted, keys.order(), descending, which);
                fixture.assertNothingLeft(which);
            }
        }
    }

    static Object value(Random random, int number) {
        return switch (random.nextInt(4)) {
            case 0 -> number;
            case 1 -> "value " + number;
            case 2 -> new ArrayList<>(List.of(number, "x"));
            default -> List.of((byte) number, "y".repeat(random.nextInt(300)));
        };
    }

    @SuppressWarnings("unchecked")
    static void assertSorted(
            List<Pair<@Nullable Object, Object>> given,
            List<Pair<?, ?>> sorted,
            Optional<Comparator<Object>> order,
            boolean descending,
            String which) {
        Comparator<Object> ascending = order.orElse((left, right) -> ((Comparable<Object>) left).compareTo(right));
        Comparator<@Nullable Object> nullsFirst = Comparator.nullsFirst(ascending);
        Comparator<@Nullable Object> wanted = descending ? nullsFirst.reversed() : nullsFirst;
        List<@Nullable Object> keys = given.stream().map(Pair::key).collect(Collectors.toCollection(ArrayList::new));
        keys.sort(wanted);
        assertEquals(keys.size(), sorted.size(), which);
        for (int i = 0; i < keys.size(); i++) {
            assertEquals(0, wanted.compare(keys.get(i), sorted.get(i).key()), which + " at " + i);
        }
        assertEquals(counted(given), counted(sorted), which);
    }

    /** How often each pair is there. */
    static Map<String, Long> counted(List<? extends Pair<?, ?>> pairs) {
        return pairs.stream().collect(Collectors.groupingBy(String::valueOf, TreeMap::new, Collectors.counting()));
    }

    static List<Pair<?, ?>> drain(Iterator<Object> sorted) {
        List<Pair<?, ?>> all = new ArrayList<>();
        sorted.forEachRemaining(pair -> all.add((Pair<?, ?>) pair));
        assertTrue(!sorted.hasNext());
        return all;
    }
}
