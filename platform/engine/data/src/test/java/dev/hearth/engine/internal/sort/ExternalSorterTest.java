package dev.hearth.engine.internal.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.io.OpenFileDescriptors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the sort of random pairs with {@link List#sort}, for every way of input and with memory refused at random.
 * Pairs of equal keys stay in the order of arrival. A failure names its seed.
 */
@Timeout(120)
class ExternalSorterTest {
    private static final int PAIRS_MAX = 6_000;

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0}")
    @EnumSource(SortedKeys.class)
    void sortsAsCollectionsDo(SortedKeys keys) throws Exception {
        for (long seed = 1; seed <= 12; seed++) {
            String description = keys + " seed " + seed;
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
                List<Pair<?, ?>> sorted = fixture.sort(pairs, keys.order(), descending, description);
                assertSorted(pairs, sorted, keys.order(), descending, description);
                fixture.assertNothingLeft(description);
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

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = SortedKeys.class,
            names = {"LONGS", "ALL_CHARACTERS", "RECORDS"})
    void mergesMoreRunsThanMayBeOpenInSeveralPasses(SortedKeys keys) {
        Random random = new Random(5);
        List<Pair<@Nullable Object, Object>> pairs = pairs(keys, random, 60_000);
        try (SortFixture fixture = new SortFixture(directory, random, 60_000, 0)) {
            assertSorted(
                    pairs, fixture.sort(pairs, keys.order(), false, "many runs"), keys.order(), false, "many runs");
            assertTrue(fixture.memory.spills > SpilledSortedRuns.MERGED_MAX, fixture.memory.spills + " runs");
            fixture.assertNothingLeft("many runs");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(SortedKeys.class)
    void spillsOnDemandBetweenAnyTwoPairs(SortedKeys keys) {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            List<Pair<@Nullable Object, Object>> pairs = pairs(keys, random, 1 + random.nextInt(2_000));
            boolean descending = random.nextBoolean();
            long memory = random.nextBoolean() ? Long.MAX_VALUE / 2 : 200_000;
            String description = keys + " seed " + seed;
            try (SortFixture fixture = new SortFixture(directory, random, memory, 0).spillingOnDemand()) {
                assertSorted(
                        pairs,
                        fixture.sort(pairs, keys.order(), descending, description),
                        keys.order(),
                        descending,
                        description);
                fixture.assertNothingLeft(description);
            }
        }
    }

    @Test
    void namesACorruptRun() throws Exception {
        Random random = new Random(3);
        List<Pair<@Nullable Object, Object>> pairs = pairs(SortedKeys.LONGS, random, 20_000);
        try (SortFixture fixture = new SortFixture(directory, random, 300_000, 0)) {
            corrupt(fixture, pairs);
            fixture.assertNothingLeft("damage");
        }
    }

    @Test
    void closesAllRunsWhenOneCannotBeRead() throws Exception {
        Random random = new Random(4);
        List<Pair<@Nullable Object, Object>> pairs = pairs(SortedKeys.LONGS, random, 20_000);
        try (SortFixture fixture = new SortFixture(directory, random, 700_000, 0)) {
            ExternalSorter sorter =
                    new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "damage");
            fixture.feed(pairs, sorter);
            List<Path> runs = fixture.files();
            assertTrue(runs.size() > 1 && runs.size() < SpilledSortedRuns.MERGED_MAX, runs::toString);
            for (Path run : runs.subList(1, runs.size())) {
                flip(run, 10);
            }
            assertEquals(
                    "FILE_DAMAGED",
                    assertThrows(HearthException.class, sorter::sorted).code());
            sorter.close();
            fixture.assertNothingLeft("damage");
            assertEquals(
                    List.of(),
                    OpenFileDescriptors.below(directory).stream()
                            .filter(file -> file.contains("segment-"))
                            .toList());
        }
    }

    @Test
    void refusesARecordOverTheBoundAndReleasesEverything() {
        try (SortFixture fixture = new SortFixture(directory, new Random(1), 500_000, 0, 100_000)) {
            try (ExternalSorter sorter =
                    new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "bound")) {
                HearthException refused = assertThrows(HearthException.class, () -> {
                    for (int i = 0; i < 10_000; i++) {
                        sorter.pair("key " + i, i == 100 ? "x".repeat(100_001) : "y".repeat(100));
                    }
                });
                assertEquals("BAD_ARGUMENT", refused.code());
                assertTrue(refused.getMessage().contains("more than 100000 bytes serialised"), refused::getMessage);
            }
            fixture.assertNothingLeft("bound");
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 0x10));
            channel.write(one.rewind(), at);
        }
    }

    private static void corrupt(SortFixture fixture, List<Pair<@Nullable Object, Object>> pairs) throws IOException {
        try (ExternalSorter sorter =
                new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "damage")) {
            fixture.feed(pairs, sorter);
            Path run = fixture.someFile();
            flip(run, Files.size(run) / 3);
            HearthException corrupt = assertThrows(HearthException.class, () -> drain(sorter.sorted()));
            assertEquals("FILE_DAMAGED", corrupt.code());
            assertTrue(String.valueOf(corrupt.getMessage()).contains(run.toString()), corrupt::getMessage);
        }
    }

    @Test
    void releasesEverythingWhenTheTaskIsKilled() {
        for (int until = 0; until < 60; until++) {
            Random random = new Random(until);
            List<Pair<@Nullable Object, Object>> pairs = pairs(SortedKeys.WORDS, random, 6_000);
            try (SortFixture fixture = new SortFixture(directory, random, 100_000, 0)) {
                fixture.killAfter(until * 7);
                assertThrows(CancellationException.class, () -> fixture.sort(pairs, Optional.empty(), false, "killed"));
                fixture.assertNothingLeft("killed after " + until);
            }
        }
    }

    @Test
    void losesNoPairWithARandomComparator() {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            List<Pair<@Nullable Object, Object>> pairs = pairs(SortedKeys.LONGS, random, 3_000);
            Optional<Comparator<Object>> chance = Optional.of(randomComparator(seed));
            try (SortFixture fixture = new SortFixture(directory, random, 100_000 + random.nextInt(300_000), 0)) {
                assertEquals(counted(pairs), counted(fixture.sort(pairs, chance, false, "chance")), "seed " + seed);
                fixture.assertNothingLeft("seed " + seed);
            }
        }
    }

    @Test
    void refusesNumbersAmongKeysOfAnotherClass() {
        for (Column numbers : List.of(
                new Column.Longs(new long[] {2}, 1),
                new Column.Ints(new int[] {2}, 1),
                new Column.Doubles(new double[] {2}, 1))) {
            try (SortFixture fixture = new SortFixture(directory, new Random(1), 1_000_000, 0);
                    ExternalSorter sorter =
                            new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "mixed")) {
                sorter.pair((short) 1, 1);
                HearthException failure = assertThrows(HearthException.class, () -> {
                    sorter.columns(numbers, new Column.Ints(new int[] {1}, 1));
                    drain(sorter.sorted());
                });
                assertEquals("BAD_ARGUMENT", failure.code());
            }
        }
    }

    @Test
    void releasesLargePairsWithTheirRun() {
        Random random = new Random(9);
        try (SortFixture fixture = new SortFixture(directory, random, 1_000_000, 0);
                ExternalSorter sorter =
                        new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "large")) {
            for (long i = 0; i < 64; i++) {
                sorter.pair(i, new byte[1_000_000]);
            }
            assertTrue(fixture.memory.spills >= 30, fixture.memory.spills + " runs of 64 MB in 1 MB");
            assertEquals(64, drain(sorter.sorted()).size());
        }
    }

    @Test
    void releasesArraysFromATimeWithMoreMemory() {
        try (SortFixture fixture = new SortFixture(directory, new Random(10), 4_000_000, 0);
                ExternalSorter sorter =
                        new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "less")) {
            for (long i = 0; i < 70_000; i++) {
                sorter.pair(i, 1);
            }
            fixture.memory.most = 1_000_000; // another task has started
            for (long i = 70_000; i < 90_000; i++) {
                sorter.pair(i, new byte[200]);
            }
            long holds = fixture.memory.held + fixture.memory.required;
            assertTrue(holds <= 1_000_000, holds + " bytes");
            assertEquals(90_000, drain(sorter.sorted()).size());
        }
    }

    @SuppressWarnings("UnusedVariable") // arguments are ignored on purpose
    private static Comparator<Object> randomComparator(long seed) {
        Random answers = new Random(seed);
        return (left, right) -> answers.nextInt(3) - 1;
    }

    private static List<Pair<@Nullable Object, Object>> pairs(SortedKeys keys, Random random, int size) {
        List<Pair<@Nullable Object, Object>> pairs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            pairs.add(new Pair<>(
                    random.nextInt(100) == 0 ? null : keys.key(random, random.nextInt(size)), value(random, i)));
        }
        return pairs;
    }

    @SuppressWarnings("unchecked")
    static void assertSorted(
            List<Pair<@Nullable Object, Object>> input,
            List<Pair<?, ?>> sorted,
            Optional<Comparator<Object>> order,
            boolean descending,
            String description) {
        Comparator<Object> ascending = order.orElse((left, right) -> ((Comparable<Object>) left).compareTo(right));
        Comparator<@Nullable Object> nullsFirst = Comparator.nullsFirst(ascending);
        Comparator<@Nullable Object> wanted = descending ? nullsFirst.reversed() : nullsFirst;
        List<Pair<@Nullable Object, Object>> expected = new ArrayList<>(input);
        expected.sort((left, right) -> wanted.compare(left.key(), right.key()));
        assertEquals(expected.size(), sorted.size(), description);
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(String.valueOf(expected.get(i)), String.valueOf(sorted.get(i)), description + " at " + i);
        }
    }

    /** Number of occurrences of each pair. */
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
