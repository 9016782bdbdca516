package dev.hearth.engine.internal.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Memory that a sort reserves. After a spill it must reserve what it holds, as a new sort of the pairs since the spill
 * does: less would exceed the task's share unnoticed, more would spill too early.
 */
class SorterReservationTest {
    private static final int PAIRS = 4096; // fill a chunk of pairs that arrive one by one
    private static final long FIVE_DIGITS = 10_000;
    private static final long UNBOUNDED = Long.MAX_VALUE / 2;

    @TempDir
    Path directory;

    /** The ways in which pairs arrive. */
    enum Way {
        ONE_BY_ONE,
        COLUMNS,
        LASTING_PAGE,
        REUSED_PAGE;

        void send(List<Pair<@Nullable Object, Object>> pairs, ExternalSorter sorter, SortFixture fixture) {
            switch (this) {
                case ONE_BY_ONE -> pairs.forEach(pair -> sorter.pair(pair.key(), pair.value()));
                case COLUMNS -> sorter.columns(SortFixture.column(pairs, true), SortFixture.column(pairs, false));
                case LASTING_PAGE -> encode(pairs, sorter, fixture, true);
                case REUSED_PAGE -> encode(pairs, sorter, fixture, false);
            }
        }

        private static void encode(
                List<Pair<@Nullable Object, Object>> pairs,
                ExternalSorter sorter,
                SortFixture fixture,
                boolean lasting) {
            RecordFormat.Writer writer = fixture.records.writer();
            RecordOutput out = new RecordOutput(16);
            for (Pair<@Nullable Object, Object> pair : pairs) {
                writer.write(pair.key(), out);
                writer.write(pair.value(), out);
            }
            byte[] page = Arrays.copyOf(out.array(), out.position());
            sorter.encoded(page, 0, page.length, lasting, LazyRecordReader.unwrapped(sorter.reader()));
        }
    }

    private SortFixture fixture(long memory) {
        return new SortFixture(directory, new Random(1), memory, 0);
    }

    private static ExternalSorter sorter(SortFixture fixture) {
        return new ExternalSorter(fixture.services, new SortOrder(Optional.empty(), false), "reservation", true);
    }

    private static long reserved(SortFixture fixture) {
        return fixture.memory.held + fixture.memory.required;
    }

    /** Pairs of equal size: all numbers have five digits. */
    private static List<Pair<@Nullable Object, Object>> pairs(int count, long first, boolean objects) {
        List<Pair<@Nullable Object, Object>> pairs = new ArrayList<>();
        LongStream.range(FIVE_DIGITS + first, FIVE_DIGITS + first + count)
                .forEach(i -> pairs.add(new Pair<>(i, objects ? "value " + i : (Object) i)));
        return pairs;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reservesAfterARefusalAsMuchAsANewSorter(Way way) {
        for (boolean objects : new boolean[] {false, true}) {
            List<Pair<@Nullable Object, Object>> first = pairs(PAIRS, 0, objects);
            List<Pair<@Nullable Object, Object>> second = pairs(PAIRS, PAIRS, objects);
            long expected;
            try (SortFixture fixture = fixture(UNBOUNDED);
                    ExternalSorter sorter = sorter(fixture)) {
                way.send(second, sorter, fixture);
                expected = reserved(fixture);
            }
            try (SortFixture fixture = fixture(UNBOUNDED);
                    ExternalSorter sorter = sorter(fixture)) {
                way.send(first, sorter, fixture);
                fixture.memory.most = reserved(fixture) + 1000; // too little for more pairs
                way.send(second, sorter, fixture);
                assertTrue(fixture.memory.spills > 0, "no spill");
                if (way == Way.ONE_BY_ONE) { // spills in the middle: object sizes are estimated for the rest
                    assertTrue(
                            reserved(fixture) >= InMemoryRun.ENTRY_BYTES * (long) PAIRS, reserved(fixture) + " bytes");
                } else if (!objects || way != Way.COLUMNS) {
                    assertEquals(expected, reserved(fixture), way + ", objects: " + objects);
                }
                assertTrue(reserved(fixture) <= fixture.memory.most, reserved(fixture) + " of " + fixture.memory.most);
                assertEquals(
                        2 * PAIRS, ExternalSorterTest.drain(sorter.sorted()).size());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reservesTheSameInEachRoundBetweenSpillsOnDemand(Way way) {
        try (SortFixture fixture = fixture(UNBOUNDED);
                ExternalSorter sorter = sorter(fixture)) {
            List<Long> reserved = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                way.send(pairs(PAIRS, round * (long) PAIRS, true), sorter, fixture);
                reserved.add(reserved(fixture));
                assertTrue(sorter.spill(Long.MAX_VALUE) >= 0);
                assertTrue(reserved(fixture) >= InMemoryRun.ENTRY_BYTES * (long) PAIRS, "the arrays stay");
            }
            assertTrue(reserved.get(1) >= reserved.get(0), reserved::toString);
            assertEquals(reserved.get(1), reserved.get(2), reserved::toString);
            assertEquals(reserved.get(1), reserved.get(3), reserved::toString);
        }
    }

    @Test
    void reservesOnlyForTheLastPairWhenTheObjectsBeforeItWereSpilled() {
        try (SortFixture fixture = fixture(UNBOUNDED);
                ExternalSorter sorter = sorter(fixture)) {
            sorter.pair(-1L, "first");
            long empty = reserved(fixture);
            fixture.memory.most = empty + 1_000_000;
            for (long i = 0; fixture.memory.spills == 0; i++) {
                sorter.pair(i, new byte[1000]);
            }
            long objects = reserved(fixture) - empty;
            assertTrue(objects >= 900 && objects < 2000, objects + " bytes for an object of 1,000");
        }
    }

    @Test
    void spillsWheneverAReservationIsRefused() {
        try (SortFixture fixture = fixture(1_000_000);
                ExternalSorter sorter = sorter(fixture)) {
            for (int i = 0; i < 40; i++) {
                Way way = Way.values()[i % Way.values().length];
                way.send(List.of(new Pair<>((long) i, new byte[400_000])), sorter, fixture);
                assertTrue(reserved(fixture) <= 1_500_000, reserved(fixture) + " bytes after pair " + i);
            }
            assertTrue(fixture.memory.spills >= 10, fixture.memory.spills + " spills of 16 MB in 1 MB");
            assertEquals(40, ExternalSorterTest.drain(sorter.sorted()).size());
        }
    }

    @Test
    void reservesTheBuffersOfTheRunsThatItReads() {
        int runs = 10;
        try (SortFixture fixture = fixture(UNBOUNDED);
                ExternalSorter sorter = sorter(fixture)) {
            for (int run = 0; run < runs; run++) {
                Way.LASTING_PAGE.send(pairs(100, run * 100L, false), sorter, fixture);
                sorter.spill(Long.MAX_VALUE);
            }
            Way.LASTING_PAGE.send(pairs(100, runs * 100L, false), sorter, fixture);
            long before = reserved(fixture);
            Iterator<Object> sorted = sorter.sorted();
            assertEquals(
                    before + runs * SpilledSortedRuns.INPUT_BYTES,
                    reserved(fixture),
                    "an equal amount is left to others");
            sorted.next();
            sorter.spill(Long.MAX_VALUE);
            long open = reserved(fixture);
            assertTrue(open >= runs * SpilledSortedRuns.INPUT_BYTES, open + " bytes for " + runs + " open runs");
            assertEquals((runs + 1) * 100 - 1, ExternalSorterTest.drain(sorted).size());
            assertEquals(0, reserved(fixture));
        }
    }

    /** A row stores lengths of up to 16 bits; longer pairs are measured again when they are spilled. */
    @Test
    void spillsPairsAroundTheLongestLengthThatARowStores() {
        List<Pair<@Nullable Object, Object>> pairs = new ArrayList<>();
        for (int length = 0xFFFF - 16; length <= 0xFFFF + 2; length++) {
            pairs.add(new Pair<>((long) length, new byte[length]));
            pairs.add(new Pair<>((long) -length, "x".repeat(length)));
        }
        try (SortFixture fixture = fixture(UNBOUNDED);
                ExternalSorter sorter = sorter(fixture)) {
            Way.LASTING_PAGE.send(pairs, sorter, fixture);
            sorter.spill(Long.MAX_VALUE);
            List<Pair<?, ?>> sorted = ExternalSorterTest.drain(sorter.sorted());
            assertEquals(pairs.size(), sorted.size());
            for (Pair<?, ?> pair : sorted) {
                long key = (Long) pair.key();
                int length = pair.value() instanceof byte[] bytes ? bytes.length : -((String) pair.value()).length();
                assertEquals(key, length);
            }
        }
    }
}
