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

/**
 * Faults during aggregation: inconsistent keys, throwing functions, corrupt files, killed tasks, and very large inputs.
 */
@Timeout(120)
class AggregationFaultTest {
    private static final int PAIRS = 3000;
    private static final int BATCH = 32; // pairs looked up as one batch

    /** A key whose hash code differs at each call, or whose equals is inconsistent; both are reproducible. */
    private static final class Inconsistent implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int number;
        private final boolean inconsistentEquals;
        private int calls;

        Inconsistent(int number, boolean inconsistentEquals) {
            this.number = number;
            this.inconsistentEquals = inconsistentEquals;
        }

        @Override
        public int hashCode() {
            return inconsistentEquals ? number % 5 : number + calls++ * 31;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Inconsistent that
                    && (inconsistentEquals ? (calls++ & 3) == 0 : number == that.number);
        }
    }

    private static final class Adding implements ReduceFunction<Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(Object left, Object right) {
            return (Integer) left + (Integer) right;
        }
    }

    @ParameterizedTest(name = "inconsistent equals: {0}")
    @ValueSource(booleans = {true, false})
    void losesNoRecordOfInconsistentKeys(boolean inconsistentEquals) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            TestingAggregationServices services = new TestingAggregationServices(random, 50, 50);
            HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Adding()));
            HashGrouper grouping = new HashGrouper(services, 1);
            for (int i = 0; i < PAIRS; i++) {
                combining.pair(new Inconsistent(random.nextInt(100), inconsistentEquals), 1);
                grouping.side(0).pair(new Inconsistent(random.nextInt(100), inconsistentEquals), i);
            }
            int sum = 0;
            for (Iterator<Object> pairs = combining.pairs(); pairs.hasNext(); ) {
                sum += (Integer) ((Pair<?, ?>) pairs.next()).value();
                services.memory.askByChance();
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
            assertEquals(0, services.memory.left());
        }
    }

    @Test
    void rethrowsTheExceptionObjectOfAUserFunction() {
        IOException thrown = new IOException("no");
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining =
                HashAggregator.ofAll(services, AggregateFunction.reducing((ReduceFunction<Object>) (left, right) -> {
                    throw thrown;
                }));
        combining.pair(1, 1);
        combining.pair(1, 2);
        assertSame(thrown, assertThrows(IOException.class, combining::pairs));
        combining.close();
        assertEquals(0, services.memory.left());
    }

    @Test
    void namesACorruptFile() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 1000, 0);
        services.files.corruptFrom = 1;
        HashGrouper grouping = new HashGrouper(services, 1);
        fill(grouping.side(0));
        HearthException failure = assertThrows(HearthException.class, grouping::groups);
        assertEquals("FILE_DAMAGED", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("file 1 of a test"), failure.getMessage());
        grouping.close();
        assertEquals(0, services.memory.left());
        assertEquals(0, services.files.bytes());
        assertEquals(0, services.files.open());
    }

    @ParameterizedTest(name = "aggregation: {0}, in order: {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void namesAFileWithCorruptRecords(boolean combines, boolean inOrder) {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        services.inOrder = inOrder;
        services.files.corruptAt = TestingFiles.KEY_AT + (inOrder ? Long.BYTES : 0);
        HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Adding()));
        HashGrouper grouping = new HashGrouper(services, 1);
        fill(combines ? combining : grouping.side(0));
        services.memory.spillAll(wanted -> 0);
        HearthException failure = assertThrows(
                HearthException.class,
                () -> (combines ? combining.pairs() : grouping.groups()).forEachRemaining(pair -> {}));
        assertEquals("FILE_DAMAGED", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("file 0 of a test"), failure.getMessage());
        combining.close();
        grouping.close();
        assertEquals(0, services.memory.left());
        assertEquals(0, services.files.bytes());
        assertEquals(0, services.files.open());
    }

    @Test
    void releasesEverythingWhenTheTaskIsKilledAtAnyMoment() {
        int ended = 0;
        for (int kills = 1; ended == 0; kills += 7) {
            TestingAggregationServices services = new TestingAggregationServices(new Random(kills), 100, 10);
            services.kills = kills;
            HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Adding()));
            HashGrouper grouping = new HashGrouper(services, 2);
            try {
                fill(combining);
                fill(grouping.side(0));
                fill(grouping.side(1));
                combining.pairs().forEachRemaining(pair -> {});
                grouping.joined().forEachRemaining(pair -> services.memory.askByChance());
                ended++;
            } catch (IllegalStateException killed) {
                assertEquals("killed", killed.getMessage());
            }
            combining.close();
            grouping.close();
            assertEquals(0, services.memory.left(), "killed at " + kills);
            assertEquals(0, services.files.bytes(), "killed at " + kills);
            assertEquals(0, services.files.open(), "killed at " + kills);
        }
    }

    private static void fill(PairConsumer receiver) {
        for (int i = 0; i < 400; i++) {
            receiver.pair("key " + i % 100, i);
        }
    }

    @Test
    void mergesManyRunsWithFewFilesOpen() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(services, 1);
        int runs = 10 * SpilledHashRuns.OPEN_MAX;
        for (int run = 0; run < runs; run++) {
            for (int i = 0; i < 40; i++) {
                grouping.side(0).pair(i, run);
            }
            services.memory.spillAll(wanted -> 0);
        }
        int count = 0;
        for (Iterator<Object> groups = grouping.groups(); groups.hasNext(); count++) {
            Pair<?, ?> group = (Pair<?, ?>) groups.next();
            assertEquals(count, group.key());
            assertEquals(IntStream.range(0, runs).boxed().toList(), group.value());
        }
        assertEquals(40, count);
        assertTrue(services.files.created > runs, "files: " + services.files.created);
        assertEquals(SpilledHashRuns.OPEN_MAX, services.files.openMost);
        assertEquals(0, services.memory.left());
        assertEquals(0, services.files.bytes());
    }

    @Test
    void spillsAHugeGroupAsSeveralEntries() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(services, 2);
        int size = 200_000;
        for (int i = 0; i < size; i++) {
            grouping.side(i % 2).pair("all", "value " + i);
        }
        services.memory.spillAll(wanted -> 0);
        grouping.side(1).pair("all", "last");
        Pair<?, ?> all = (Pair<?, ?>) grouping.cogroups().next();
        List<?>[] lists = (List<?>[]) all.value();
        assertEquals(size / 2, lists[0].size());
        assertEquals(size / 2 + 1, lists[1].size());
        assertEquals("value " + (size - 2), lists[0].get(size / 2 - 1));
        assertTrue(services.memory.memorySpilled() > size * 40L, "spilled: " + services.memory.memorySpilled());
        grouping.close();
        assertEquals(0, services.memory.left());
    }

    @Test
    void reservesAboutAsMuchMemoryAsObjectsTake() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(services, 1);
        int size = 20_000;
        for (int i = 0; i < size; i++) {
            grouping.side(0).pair(i, new byte[100]);
        }
        long each = services.memory.left() / size;
        assertTrue(each > 130 && each < 260, "bytes per record: " + each);
        grouping.close();
    }

    @Test
    void returnsTheSameOrderHoweverMuchMemoryThereIs() {
        for (int refused : new int[] {20, 100, 1000}) {
            assertEquals(order(0, 0), order(refused, 0), refused + " per mille refused");
            assertEquals(order(0, 0), order(0, refused), refused + " per mille spilled");
        }
    }

    @Test
    void startsANewBufferWhenAStringReplacesANumberInATable() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Adding()));
        addAll(combining, 2 * BATCH, "a"); // the second batch is looked up in a table of strings
        services.memory.spillAll(wanted -> 0);
        addAll(combining, BATCH, 7);
        services.memory.refusals = 1; // makes the next string flush the table and start a new one
        addAll(combining, 1, "a");
        addAll(combining, BATCH - 1, 7);
        List<Object> pairs = new ArrayList<>();
        combining.pairs().forEachRemaining(pairs::add);
        assertEquals(2, pairs.size(), pairs::toString);
        assertTrue(pairs.contains(Pair.of("a", 2 * BATCH + 1)), pairs::toString);
        assertTrue(pairs.contains(Pair.of(7, 2 * BATCH - 1)), pairs::toString);
        assertEquals(0, services.memory.left());
    }

    private static void addAll(PairConsumer receiver, int count, Object key) {
        for (int i = 0; i < count; i++) {
            receiver.pair(key, 1);
        }
    }

    /** A key with the same hash code as all others. */
    private record Colliding(int number) implements Serializable {
        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void checksForAKillWhileItProbesCollidingKeys() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        KeyHashTable keys = new KeyHashTable(services::checkKilled);
        services.kills = 10;
        IllegalStateException killed = assertThrows(IllegalStateException.class, () -> {
            for (int i = 0; i < 1000; i++) {
                if (keys.isFull()) {
                    keys.grow();
                }
                keys.slot(new Colliding(i));
            }
        });
        assertEquals("killed", killed.getMessage());
        assertTrue(keys.size() < 500, "keys: " + keys.size());
    }

    @Test
    void checksForAKillWhileItMergesRecordsOfOneHashCode() {
        for (boolean combines : new boolean[] {true, false}) {
            TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
            HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Adding()));
            HashGrouper grouping = new HashGrouper(services, 1);
            for (int i = 0; i < 60; i++) { // far fewer than the collisions per check
                (combines ? combining : grouping.side(0)).pair(new Colliding(i), i);
            }
            services.memory.spillAll(wanted -> 0);
            services.kills = 30;
            assertThrows(IllegalStateException.class, () -> (combines ? combining.pairs() : grouping.groups()).next());
            combining.close();
            grouping.close();
            assertEquals(0, services.memory.left());
            assertEquals(0, services.files.bytes());
        }
    }

    private static List<Object> order(int refused, int spilled) {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), refused, spilled);
        HashAggregator combining = HashAggregator.ofAll(services, AggregateFunction.reducing(new Adding()));
        Random random = new Random(2);
        for (int i = 0; i < PAIRS; i++) {
            combining.pair("key " + random.nextInt(500), 1);
        }
        List<Object> order = new ArrayList<>();
        combining.pairs().forEachRemaining(pair -> {
            order.add(pair);
            services.memory.askByChance();
        });
        return order;
    }

    @Test
    void passesColumnsOnWithoutBoxing() {
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
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining = HashAggregator.towards(receiver, services, AggregateFunction.reducing(new Adding()));
        for (int i = 0; i < 100; i++) {
            combining.pair(i % 10, i);
        }
        combining.finish();
        assertEquals(2, columns.size());
        assertTrue(columns.get(0) instanceof Column.Ints keys && keys.size() == 10 && keys.values()[9] == 9);
        assertTrue(columns.get(1) instanceof Column.Ints sums
                && sums.values()[9] == 9 + 19 + 29 + 39 + 49 + 59 + 69 + 79 + 89 + 99);
        assertEquals(0, services.memory.left());
    }

    @Test
    void sendsAMergedValueOfAnotherTypeOnWhenThereIsNoMemoryToConvertTheTable() {
        List<Object> received = new ArrayList<>();
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        ReduceFunction<Object> widening = (left, right) -> ((Number) left).longValue() + ((Number) right).longValue();
        HashAggregator combining = HashAggregator.towards(
                (key, value) -> received.add(new Pair<>(key, value)), services, AggregateFunction.reducing(widening));
        combining.pair(1, 1);
        combining.pair(2, 2);
        combining.pair(1, 5);
        services.memory.refusals = 1;
        combining.finish();
        assertEquals(List.of(Pair.of(1, 6L), Pair.of(2, 2)), received);
        assertEquals(0, services.memory.left());
    }

    @Test
    void passesPairsThroughWhenKeysHardlyEverRepeat() {
        int[] received = new int[2]; // pairs one by one, pairs in columns
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
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashAggregator combining = HashAggregator.towards(receiver, services, AggregateFunction.reducing(new Adding()));
        int count = 2_000_000;
        for (int i = 0; i < count; i++) {
            combining.pair(i, 1);
        }
        combining.finish();
        assertEquals(count, sum[0]);
        assertEquals(count, received[0] + received[1]);
        assertTrue(received[0] > count / 2, "passed through: " + received[0]);
        assertEquals(0, services.memory.left());
    }

    @Test
    void serialisesListsOfGroupsAsArrayLists() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        HashGrouper grouping = new HashGrouper(services, 1);
        grouping.side(0).pair(1, 2);
        grouping.side(0).pair(1, 3);
        Object list = ((Pair<?, ?>) grouping.groups().next()).value();
        RecordOutput out = new RecordOutput(16);
        services.format().writer().write(list, out);
        Object read = services.format().reader().read(new RecordInput().on(out.array(), 0, out.position()));
        assertSame(ArrayList.class, read.getClass());
        assertEquals(List.of(2, 3), read);
        assertTrue(out.position() < 20, "bytes: " + out.position());
        grouping.close();
    }

    @Test
    void releasesMemoryWhileItHandsATableOver() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
        List<Long> left = new ArrayList<>();
        HashAggregator combining = HashAggregator.towards(
                new PairConsumer() {
                    @Override
                    public void pair(@Nullable Object key, @Nullable Object value) {
                        throw new AssertionError("a pair of " + key);
                    }

                    @Override
                    public void columns(Column keys, Column values) {
                        left.add(services.memory.left());
                    }
                },
                services,
                AggregateFunction.reducing(new Adding()));
        for (int i = 0; i < 100_000; i++) {
            combining.pair(i, 1);
        }
        long before = services.memory.left();
        combining.finish();
        assertTrue(left.get(0) < before / 2 + before / 4, left + " of " + before);
        assertTrue(left.get(left.size() / 2) < before / 2, left + " of " + before);
        assertTrue(left.get(left.size() - 1) < before / 10, left + " of " + before);
    }

    @Test
    void leavesNoFileWhenTheTaskIsKilledWhileItMergesRuns() {
        for (int kills = 1; kills <= 4; kills++) {
            TestingAggregationServices services = new TestingAggregationServices(new Random(1), 0, 0);
            HashGrouper grouping = new HashGrouper(services, 1);
            for (int run = 0; run < 2 * SpilledHashRuns.OPEN_MAX; run++) {
                for (int i = 0; i < 40; i++) {
                    grouping.side(0).pair(i, run);
                }
                services.memory.spillAll(wanted -> 0);
            }
            services.kills = kills;
            assertThrows(IllegalStateException.class, () -> grouping.groups().forEachRemaining(group -> {}));
            grouping.close();
            assertEquals(0, services.files.bytes(), "killed at check " + kills);
            assertEquals(0, services.memory.left());
        }
    }
}
