package dev.hearth.engine.internal.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.aggregate.Pairs.Kind;
import dev.hearth.engine.internal.column.ColumnBuilder;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Memory that tables reserve. After a spill a table must reserve exactly as much as a new table that receives only the
 * pairs since the spill: less would exceed the task's share unnoticed, more would spill too early.
 */
class TableReservationTest {
    private static final int BATCH = 32; // the aggregation looks up pairs in batches of this size
    private static final int PAIRS = 64 * BATCH;
    private static final int MANY = 100_000;
    private static final long RUN_BYTES = 2L * PartitionedFileWriter.FRAME_BYTES; // of an open run

    private static final class Last implements ReduceFunction<Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(Object left, Object right) {
            return right;
        }
    }

    private static TestingAggregationServices services() {
        return new TestingAggregationServices(new Random(1), 0, 0);
    }

    private static HashAggregator aggregation(TestingAggregationServices services) {
        return HashAggregator.ofAll(services, AggregateFunction.reducing(new Last()));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"INTEGERS", "LONGS", "DOUBLES", "STRINGS", "LISTS", "COLLIDING", "LATE_OTHER_TYPE"})
    void reservesAfterASpillAsMuchAsANewAggregation(Kind kind) {
        for (Kind values : new Kind[] {kind, Kind.INTEGERS, Kind.STRINGS, Kind.LISTS}) {
            assertSameReservation(kind, values, TableReservationTest::aggregation);
        }
    }

    @ParameterizedTest
    @CsvSource({"INTEGERS, 1", "INTEGERS, 3", "LONGS, 2", "STRINGS, 1", "LISTS, 2", "COLLIDING, 1", "LATE_OTHER_TYPE, 2"
    })
    void reservesAfterASpillAsMuchAsANewGrouping(Kind kind, int sides) {
        for (Kind values : new Kind[] {kind, Kind.INTEGERS, Kind.DOUBLES, Kind.LISTS}) {
            assertSameReservation(kind, values, services -> new HashGrouper(services, sides).side(sides - 1));
        }
    }

    /** A string among 100,000 int keys converts the table; then it grows, and must reserve what a table of objects does. */
    @Test
    void reservesNoMoreForAConvertedTableThanForOneOfObjects() {
        long converted = reservedWithAStringAt(50_000);
        long objects = reservedWithAStringAt(0);
        assertTrue(Math.abs(converted - objects) < objects / 10, converted + " and " + objects + " bytes");
    }

    private static long reservedWithAStringAt(int place) {
        TestingAggregationServices services = services();
        HashAggregator aggregation = aggregation(services);
        for (int i = 0; i < MANY; i++) {
            aggregation.pair(i == place ? "text" : (Object) i, 1);
        }
        return services.memory.left();
    }

    @Test
    void reservesAboutTheSizeOfPrimitiveTables() {
        TestingAggregationServices services = services();
        HashAggregator aggregation = aggregation(services);
        for (int i = 0; i < MANY; i++) {
            aggregation.pair(i, i);
        }
        assertBytesPerPair(
                16, 40, services); // 4 for a key, 4 for a value, 8 for a bucket; arrays are up to twice as long
        aggregation.close();

        HashGrouper grouping = new HashGrouper(services, 1);
        for (int i = 0; i < MANY; i++) {
            grouping.side(0).pair(i, i);
        }
        assertBytesPerPair(28, 70, services); // as above; 4 for a slot, 4 for the count, 4 for the value grouped by key
        grouping.close();

        HashGrouper oneKey = new HashGrouper(services, 1);
        for (int i = 0; i < MANY; i++) {
            oneKey.side(0).pair(1, i);
        }
        assertBytesPerPair(12, 20, services); // a slot, a value, and the value grouped by key
        oneKey.close();
        assertEquals(0, services.memory.left());
    }

    private static void assertBytesPerPair(int least, int most, TestingAggregationServices services) {
        long bytes = services.memory.left();
        assertTrue(
                bytes >= (long) least * MANY && bytes <= (long) most * MANY, bytes + " bytes for " + MANY + " pairs");
    }

    @Test
    void reservesNothingBeyondTheMinimumOnceATableWasSentOn() {
        TestingAggregationServices services = services();
        HashAggregator aggregation =
                HashAggregator.towards((key, value) -> {}, services, AggregateFunction.reducing(new Last()));
        long minimum = services.memory.left();
        for (int i = 0; i < MANY; i++) {
            aggregation.pair("key " + i, "value " + i);
        }
        assertTrue(services.memory.left() > minimum);
        services.memory.spillAll(wanted -> 0);
        assertEquals(minimum, services.memory.left());
        aggregation.close();
        assertEquals(0, services.memory.left());
    }

    @Test
    void releasesTheFramesOfRunsBeforeTheResultIsReadInOrder() {
        TestingAggregationServices services = services();
        HashAggregator aggregation = aggregation(services);
        HashGrouper grouping = new HashGrouper(services, 1);
        spillRuns(2, services, aggregation, grouping.side(0));
        Iterator<Object> pairs = aggregation.pairs();
        assertTrue(services.memory.left() < RUN_BYTES, services.memory.left() + " bytes while pairs are read");
        Iterator<Object> groups = grouping.groups();
        assertTrue(services.memory.left() < RUN_BYTES, services.memory.left() + " bytes while groups are read");
        assertEquals(10, count(pairs));
        assertEquals(10, count(groups));
        assertEquals(0, services.memory.left());
    }

    @Test
    void keepsTheReservationOfOpenRunsButForAFew() {
        TestingAggregationServices services = services();
        services.inOrder = false;
        HashGrouper grouping = new HashGrouper(services, 1);
        spillRuns(20, services, grouping.side(0));
        Iterator<Object> groups = grouping.groups();
        assertTrue(services.memory.left() >= 20 * RUN_BYTES);
        for (int i = 0; i < 2; i++) {
            services.memory.spillAll(wanted -> 0);
            assertTrue(services.memory.left() >= 12 * RUN_BYTES, services.memory.left() + " bytes for 20 open runs");
        }
        assertEquals(10, count(groups));
        assertEquals(0, services.memory.left());
    }

    @Test
    void spillsWheneverAReservationIsRefused() {
        TestingAggregationServices services = new TestingAggregationServices(new Random(1), 1000, 0);
        HashGrouper oneKey = new HashGrouper(services, 1);
        for (int i = 0; i < 10_000; i++) {
            oneKey.side(0).pair(1, i);
        }
        int runs = services.files.created;
        assertTrue(runs > 10_000 / 100, runs + " runs of 10,000 values");
        oneKey.close();

        HashAggregator aggregation = aggregation(services);
        for (int i = 0; i < 10_000; i++) {
            aggregation.pair(i, 1);
        }
        runs = services.files.created - runs;
        assertTrue(runs > 10_000 / 100, runs + " runs of 10,000 keys");
        aggregation.close();
        assertEquals(0, services.memory.left());
    }

    private static void spillRuns(int runs, TestingAggregationServices services, PairConsumer... receivers) {
        for (int run = 0; run < runs; run++) {
            for (PairConsumer receiver : receivers) {
                for (int key = 0; key < 10; key++) {
                    receiver.pair(List.of(key), run);
                }
            }
            services.memory.spillAll(wanted -> 0);
        }
    }

    private static int count(Iterator<Object> results) {
        int count = 0;
        for (; results.hasNext(); results.next()) {
            count++;
        }
        return count;
    }

    private static void assertSameReservation(
            Kind keys, Kind values, Function<TestingAggregationServices, PairConsumer> table) {
        Random random = new Random(5);
        TestingAggregationServices spilled = services();
        PairConsumer receiver = table.apply(spilled);
        long minimum = spilled.memory.left();
        for (int round = 0; round < 3; round++) {
            List<Pair<@Nullable Object, @Nullable Object>> pairs = Pairs.of(keys, values, PAIRS, PAIRS, random);
            send(pairs, receiver);
            TestingAggregationServices fresh = services();
            send(pairs, table.apply(fresh));
            assertEquals(fresh.memory.left(), spilled.memory.left(), keys + " and " + values + ", round " + round);
            assertTrue(spilled.memory.left() > minimum, "nothing reserved for the pairs");
            spilled.memory.spillAll(wanted -> 0);
            assertEquals(minimum, spilled.memory.left(), keys + " and " + values + ", after spill " + round);
        }
    }

    /** Sends half of the pairs one by one, and half of them in columns. */
    private static void send(List<Pair<@Nullable Object, @Nullable Object>> pairs, PairConsumer receiver) {
        pairs.subList(0, PAIRS / 2).forEach(pair -> receiver.pair(pair.key(), pair.value()));
        ColumnBuilder keys = new ColumnBuilder();
        ColumnBuilder values = new ColumnBuilder();
        pairs.subList(PAIRS / 2, PAIRS).forEach(pair -> {
            keys.add(pair.key());
            values.add(pair.value());
        });
        receiver.columns(keys.build(), values.build());
    }
}
