package dev.hearth.engine.internal.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that contradict themselves, functions that throw, files that are damaged, tasks that are killed, and much of everything. */
@Timeout(120)
class AggregationFaultTest {
    private static final int PAIRS = 3000;
    private static final int AHEAD = 32; // pairs that are looked up together

    /** Its hash code is another one every time, or equals says what it likes; either is the same in every run of a test. */
    private static final class Moody implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int number;
        private final boolean moodyEquals;
        private int asked;

        Moody(int number, boolean moodyEquals) {
            this.number = number;
            this.moodyEquals = moodyEquals;
        }

        @Override
        public int hashCode() {
            return moodyEquals ? number % 5 : number + asked++ * 31;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Moody moody && (moodyEquals ? (asked++ & 3) == 0 : number == moody.number);
        }
    }

    private static final class Adding implements ReduceFunction<Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(Object left, Object right) {
            return (Integer) left + (Integer) right;
        }
    }

    @ParameterizedTest(name = "moody equals: {0}")
    @ValueSource(booleans = {true, false})
    void losesNoRecordOfKeysThatContradictThemselves(boolean moodyEquals) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            TestingAggregationServices bench = new TestingAggregationServices(random, 50, 50);
            HashAggregator combining = HashAggregator.ofAll(bench, AggregateFunction.reducing(new Adding()));
            HashGrouper grouping = new HashGrouper(bench, 1);
            for (int i = 0; i < PAIRS; i++) {
                combining.pair(new Moody(random.nextInt(100), moodyEquals), 1);
                grouping.side(0).pair(new Moody(random.nextInt(100), moodyEquals), i);
            }
            int sum = 0;
            for (Iterator<Object> pairs = combining.pairs(); pairs.hasNext(); ) {
                sum += (Integer) ((Pair<?, ?>) pairs.next()).value();
                bench.memory.askByChance();
            }
            assertEquals(PAIRS, sum, "seed " + seed);
            TreeSet<Object> values = new TreeSet<>();
            int count = 0;
            for (Iterator<Object> groups = grouping.groups(); groups.hasNext(); ) {
                List<?> group = (List<?>) ((Pair<?, ?>) groups.next()).value();
                values.addAll(group);
                count += group.size();
            }
            assertEquals(PAIRS, count, "seed " + seed);
            assertEquals(PAIRS, values.size(), "seed " + seed);
            assertEquals(0, bench.memory.left());
        }
    }

    @Test
    void letsWhatAUsersFunctionThrowsPassAsTheVeryObject() {
        IOException thrown = new IOException("no");
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining =
                HashAggregator.ofAll(bench, AggregateFunction.reducing((ReduceFunction<Object>) (left, right) -> {
                    throw thrown;
                }));
        combining.pair(1, 1);
        combining.pair(1, 2);
        assertSame(thrown, assertThrows(IOException.class, combining::pairs));
        combining.close();
        assertEquals(0, bench.memory.left());
    }

    @Test
    void namesTheFileThatIsDamaged() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 1000, 0);
        bench.files.damagedFrom = 1;
        HashGrouper grouping = new HashGrouper(bench, 1);
        fill(grouping.side(0));
        HearthException failure = assertThrows(HearthException.class, grouping::groups);
        assertEquals("FILE_DAMAGED", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("file 1 of a test"), failure.getMessage());
        grouping.close();
        assertEquals(0, bench.memory.left());
        assertEquals(0, bench.files.bytes());
        assertEquals(0, bench.files.open());
    }

    @ParameterizedTest(name = "values become one: {0}, keys have numbers: {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void namesTheFileWhoseRecordsCannotBeRead(boolean combines, boolean inOrder) {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        bench.inOrder = inOrder;
        bench.files.garbledAt = TestingFiles.KEY_AT + (inOrder ? Long.BYTES : 0);
        HashAggregator combining = HashAggregator.ofAll(bench, AggregateFunction.reducing(new Adding()));
        HashGrouper grouping = new HashGrouper(bench, 1);
        fill(combines ? combining : grouping.side(0));
        bench.memory.spillAll(wanted -> 0);
        HearthException failure = assertThrows(
                HearthException.class,
                () -> (combines ? combining.pairs() : grouping.groups()).forEachRemaining(pair -> {}));
        assertEquals("FILE_DAMAGED", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("file 0 of a test"), failure.getMessage());
        combining.close();
        grouping.close();
        assertEquals(0, bench.memory.left());
        assertEquals(0, bench.files.bytes());
        assertEquals(0, bench.files.open());
    }

    @Test
    void givesEverythingBackWhenTheTaskIsKilledAtAnyMoment() {
        int ended = 0;
        for (int kills = 1; ended == 0; kills += 7) {
            TestingAggregationServices bench = new TestingAggregationServices(new Random(kills), 100, 10);
            bench.kills = kills;
            HashAggregator combining = HashAggregator.ofAll(bench, AggregateFunction.reducing(new Adding()));
            HashGrouper grouping = new HashGrouper(bench, 2);
            try {
                fill(combining);
                fill(grouping.side(0));
                fill(grouping.side(1));
                combining.pairs().forEachRemaining(pair -> {});
                grouping.joined().forEachRemaining(pair -> bench.memory.askByChance());
                ended++;
            } catch (IllegalStateException killed) {
                assertEquals("killed", killed.getMessage());
            }
            combining.close();
            grouping.close();
            assertEquals(0, bench.memory.left(), "killed at " + kills);
            assertEquals(0, bench.files.bytes(), "killed at " + kills);
            assertEquals(0, bench.files.open(), "killed at " + kills);
        }
    }

    private static void fill(PairConsumer receiver) {
        for (int i = 0; i < 400; i++) {
            receiver.pair("key " + i % 100, i);
        }
    }

    @Test
    void mergesManyRunsWithFewFilesOpen() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(bench, 1);
        int runs = 10 * SpilledHashRuns.OPEN_MAX;
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < 40; i++) {
                grouping.side(0).pair(i, run);
            }
            bench.memory.spillAll(wanted -> 0);
        }
        int count = 0;
        for (Iterator<Object> groups = grouping.groups(); groups.hasNext(); count++) {
            Pair<?, ?> group = (Pair<?, ?>) groups.next();
            assertEquals(count, group.key());
            assertEquals(IntStream.range(0, runs).boxed().toList(), group.value());
        }
        assertEquals(40, count);
        assertTrue(bench.files.created > runs, "files: " + bench.files.created);
        assertEquals(SpilledHashRuns.OPEN_MAX, bench.files.openMost);
        assertEquals(0, bench.memory.left());
        assertEquals(0, bench.files.bytes());
    }

    @Test
    void writesAHugeGroupInPieces() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(bench, 2);
        int size = 200_000;
        for (int i = 0; i < size; i++) {
            grouping.side(i % 2).pair("all", "value " + i);
        }
        bench.memory.spillAll(wanted -> 0);
        grouping.side(1).pair("all", "last");
        Pair<?, ?> all = (Pair<?, ?>) grouping.cogroups().next();
        List<?>[] lists = (List<?>[]) all.value();
        assertEquals(size / 2, lists[0].size());
        assertEquals(size / 2 + 1, lists[1].size());
        assertEquals("value " + (size - 2), lists[0].get(size / 2 - 1));
        assertTrue(bench.memory.memorySpilled() > size * 40L, "spilled: " + bench.memory.memorySpilled());
        grouping.close();
        assertEquals(0, bench.memory.left());
    }

    @Test
    void takesMemoryForObjectsAboutAsLargeAsTheyAre() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(bench, 1);
        int size = 20_000;
        for (int i = 0; i < size; i++) {
            grouping.side(0).pair(i, new byte[100]);
        }
        long each = bench.memory.left() / size;
        assertTrue(each > 130 && each < 260, "bytes for a record: " + each);
        grouping.close();
    }

    @Test
    void givesTheSameOrderForTheSamePairsWhateverMemoryThereIs() {
        for (int refused : new int[] {20, 100, 1000}) {
            assertEquals(order(0, 0), order(refused, 0), refused + " per mille refused");
            assertEquals(order(0, 0), order(0, refused), refused + " per mille asked back");
        }
    }

    @Test
    void givesATextThatTakesANumbersPlaceNothingOfTheNumber() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining = HashAggregator.ofAll(bench, AggregateFunction.reducing(new Adding()));
        addAll(combining, 2 * AHEAD, "a"); // the second batch is looked up among texts
        bench.memory.spillAll(wanted -> 0);
        addAll(combining, AHEAD, 7);
        bench.memory.refusals = 1; // so that the next text empties the table and begins another one
        addAll(combining, 1, "a");
        addAll(combining, AHEAD - 1, 7);
        List<Object> pairs = new ArrayList<>();
        combining.pairs().forEachRemaining(pairs::add);
        assertEquals(2, pairs.size(), pairs::toString);
        assertTrue(pairs.contains(Pair.of("a", 2 * AHEAD + 1)), pairs::toString);
        assertTrue(pairs.contains(Pair.of(7, 2 * AHEAD - 1)), pairs::toString);
        assertEquals(0, bench.memory.left());
    }

    private static void addAll(PairConsumer receiver, int count, Object key) {
        for (int i = 0; i < count; i++) {
            receiver.pair(key, 1);
        }
    }

    /** Whose hash code all others have. */
    private record Crowded(int number) implements Serializable {
        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void isKilledWhileItLooksForAKeyAmongThoseOfItsHashCode() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        KeyHashTable keys = new KeyHashTable(bench::checkKilled);
        bench.kills = 10;
        IllegalStateException killed = assertThrows(IllegalStateException.class, () -> {
            for (int i = 0; i < 1000; i++) {
                if (keys.isFull()) {
                    keys.grow();
                }
                keys.slot(new Crowded(i));
            }
        });
        assertEquals("killed", killed.getMessage());
        assertTrue(keys.size() < 500, "keys: " + keys.size());
    }

    @Test
    void isKilledWhileItBringsTogetherTheRecordsOfOneHashCode() {
        for (boolean combines : new boolean[] {true, false}) {
            TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
            HashAggregator combining = HashAggregator.ofAll(bench, AggregateFunction.reducing(new Adding()));
            HashGrouper grouping = new HashGrouper(bench, 1);
            for (int i = 0; i < 60; i++) { // far fewer than are looked at together
                (combines ? combining : grouping.side(0)).pair(new Crowded(i), i);
            }
            bench.memory.spillAll(wanted -> 0);
            bench.kills = 30;
            assertThrows(IllegalStateException.class, () -> (combines ? combining.pairs() : grouping.groups()).next());
            combining.close();
            grouping.close();
            assertEquals(0, bench.memory.left());
            assertEquals(0, bench.files.bytes());
        }
    }

    private static List<Object> order(int refused, int spilled) {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), refused, spilled);
        HashAggregator combining = HashAggregator.ofAll(bench, AggregateFunction.reducing(new Adding()));
        Random random = new Random(2);
        for (int i = 0; i < PAIRS; i++) {
            combining.pair("key " + random.nextInt(500), 1);
        }
        List<Object> order = new ArrayList<>();
        combining.pairs().forEachRemaining(pair -> {
            order.add(pair);
            bench.memory.askByChance();
        });
        return order;
    }

    @Test
    void handsColumnsOnWithoutBoxes() {
        List<Column> columns = new ArrayList<>();
        PairConsumer receiver = new PairConsumer() {
            @Override
            public void pair(@Nullable Object key, @Nullable Object value) {
                throw new AssertionError("a pair of " + key);
            }

            @Override
            public void columns(Column keys, Column values) {
                columns.add(keys);
                columns.add(values);
            }
        };
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining = HashAggregator.towards(receiver, bench, AggregateFunction.reducing(new Adding()));
        for (int i = 0; i < 100; i++) {
            combining.pair(i % 10, i);
        }
        combining.finish();
        assertEquals(2, columns.size());
        assertTrue(columns.get(0) instanceof Column.Ints keys && keys.size() == 10 && keys.values()[9] == 9);
        assertTrue(columns.get(1) instanceof Column.Ints sums
                && sums.values()[9] == 9 + 19 + 29 + 39 + 49 + 59 + 69 + 79 + 89 + 99);
        assertEquals(0, bench.memory.left());
    }

    @Test
    void letsPairsPassByThatAreHardlyEverOfTheSameKey() {
        int[] received = new int[2]; // one by one, in columns
        long[] sum = new long[1];
        PairConsumer receiver = new PairConsumer() {
            @Override
            public void pair(@Nullable Object key, @Nullable Object value) {
                received[0]++;
                sum[0] += (Integer) value;
            }

            @Override
            public void columns(Column keys, Column values) {
                received[1] += keys.size();
                for (int i = 0; i < values.size(); i++) {
                    sum[0] += (Integer) values.value(i);
                }
            }
        };
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining = HashAggregator.towards(receiver, bench, AggregateFunction.reducing(new Adding()));
        int count = 2_000_000;
        for (int i = 0; i < count; i++) {
            combining.pair(i, 1);
        }
        combining.finish();
        assertEquals(count, sum[0]);
        assertEquals(count, received[0] + received[1]);
        assertTrue(received[0] > count / 2, "passed by: " + received[0]);
        assertEquals(0, bench.memory.left());
    }

    @Test
    void writesListsOfGroupsAsListsOfTheJdk() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(bench, 1);
        grouping.side(0).pair(1, 2);
        grouping.side(0).pair(1, 3);
        Object list = ((Pair<?, ?>) grouping.groups().next()).value();
        RecordOutput out = new RecordOutput(16);
        bench.format().writer().write(list, out);
        Object read = bench.format().reader().read(new RecordInput().on(out.array(), 0, out.position()));
        assertSame(ArrayList.class, read.getClass());
        assertEquals(List.of(2, 3), read);
        assertTrue(out.position() < 20, "bytes: " + out.position());
        grouping.close();
    }

    @Test
    void givesMemoryBackWhileItHandsATableOver() {
        TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
        List<Long> left = new ArrayList<>();
        HashAggregator combining = HashAggregator.towards(
                new PairConsumer() {
                    @Override
                    public void pair(@Nullable Object key, @Nullable Object value) {
                        throw new AssertionError("a pair of " + key);
                    }

                    @Override
                    public void columns(Column keys, Column values) {
                        left.add(bench.memory.left());
                    }
                },
                bench,
                AggregateFunction.reducing(new Adding()));
        for (int i = 0; i < 100_000; i++) {
            combining.pair(i, 1);
        }
        long before = bench.memory.left();
        combining.finish();
        assertTrue(left.get(0) < before / 2 + before / 4, left + " of " + before);
        assertTrue(left.get(left.size() / 2) < before / 2, left + " of " + before);
        assertTrue(left.get(left.size() - 1) < before / 10, left + " of " + before);
    }

    @Test
    void leavesNoFileOfATaskThatIsKilledWhileItMergesRuns() {
        for (int kills = 1; kills <= 4; kills++) {
            TestingAggregationServices bench = new TestingAggregationServices(new Random(1), 0, 0);
            HashGrouper grouping = new HashGrouper(bench, 1);
            for (int run = 0; run < 2 * SpilledHashRuns.OPEN_MAX; run++) {
                for (int i = 0; i < 40; i++) {
                    grouping.side(0).pair(i, run);
                }
                bench.memory.spillAll(wanted -> 0);
            }
            bench.kills = kills;
            assertThrows(IllegalStateException.class, () -> grouping.groups().forEachRemaining(group -> {}));
            grouping.close();
            assertEquals(0, bench.files.bytes(), "killed at look " + kills);
            assertEquals(0, bench.memory.left());
        }
    }
}
