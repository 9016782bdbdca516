package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimated sizes of collections, compared with their exact sizes by the same rules. */
class AppendOnlySizeEstimatorTest {
    private static final int RECORDS = 200_000;

    private final ObjectSizeEstimator sizes = new ObjectSizeEstimator(new ObjectLayout(12, 4, 16, 8));

    private record Shared(String own, List<Object> common) {}

    private static final class Groups implements MutableTableSizeEstimator.Table {
        private final List<List<Integer>> groups = new ArrayList<>();
        private int records;

        Groups(int slots) {
            for (int slot = 0; slot < slots; slot++) {
                groups.add(new ArrayList<>());
            }
        }

        void add(int slot, Integer element) {
            records += groups.get(slot).isEmpty() ? 1 : 0;
            groups.get(slot).add(element);
        }

        @Override
        public int slots() {
            return groups.size();
        }

        @Override
        public int records() {
            return records;
        }

        @Override
        public boolean isEmpty(int slot) {
            return groups.get(slot).isEmpty();
        }

        @Override
        public Object key(int slot) {
            return slot;
        }

        @Override
        public Object value(int slot) {
            return groups.get(slot);
        }
    }

    private static void assertNear(long expected, long estimated, double part) {
        assertTrue(Math.abs(estimated - expected) <= part * (double) expected, () -> estimated + " of " + expected);
    }

    @Test
    void isExactForRecordsOfOneSize() {
        AppendOnlySizeEstimator sampling = new AppendOnlySizeEstimator(sizes);
        assertEquals(0, sampling.estimate());
        for (int i = 0; i < RECORDS; i++) {
            sampling.added(1_000_000 + i, "text-" + (1_000_000 + i));
        }
        assertEquals(RECORDS, sampling.count());
        assertEquals(RECORDS * (16L + 56), sampling.estimate());
        sampling.clear();
        assertEquals(0, sampling.estimate());
        sampling.added("abc");
        assertEquals(48, sampling.estimate());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42})
    void isCloseForRecordsOfManySizes(long seed) {
        Random random = new Random(seed);
        AppendOnlySizeEstimator sampling = new AppendOnlySizeEstimator(sizes);
        long expected = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] record = new byte[(int) (200 * -Math.log(1 - random.nextDouble()))];
            expected += sizes.sizeOf(record);
            sampling.added(record);
        }
        assertNear(expected, sampling.estimate(), 0.25);
    }

    @Test
    void followsRecordsOfGrowingSize() {
        AppendOnlySizeEstimator sampling = new AppendOnlySizeEstimator(sizes);
        long expected = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] record = new byte[i / 100];
            expected += sizes.sizeOf(record);
            sampling.added(record);
        }
        assertNear(expected, sampling.estimate(), 0.05);
    }

    @Test
    void countsSharedObjectsOnce() {
        List<Object> common = List.of(new int[1_000_000]);
        AppendOnlySizeEstimator sampling = new AppendOnlySizeEstimator(sizes);
        for (int i = 0; i < RECORDS; i++) {
            sampling.added(new Shared("text-" + (1_000_000 + i), common));
        }
        assertEquals(RECORDS * (24L + 56) + 24 + 4_000_016, sampling.estimate());
    }

    @Test
    void countsSharedObjectsAgainAfterItWasCleared() {
        List<Object> common = List.of(new int[1_000]);
        AppendOnlySizeEstimator sampling = new AppendOnlySizeEstimator(sizes);
        sampling.added(new Shared("abc", common));
        long first = sampling.estimate();
        sampling.clear();
        sampling.added(new Shared("abc", common));
        assertEquals(first, sampling.estimate());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42})
    void followsGroupsThatGrow(long seed) {
        Random random = new Random(seed);
        Groups groups = new Groups(4_096);
        MutableTableSizeEstimator sampling = new MutableTableSizeEstimator(sizes, groups, seed);
        for (int i = 1; i <= RECORDS; i++) {
            groups.add(random.nextInt(3_000), 1_000_000 + i);
            sampling.updated();
            if (Integer.bitCount(i) == 1 && i >= 256) {
                assertNear(actual(groups), sampling.estimate(), 0.3);
            }
        }
        assertNear(actual(groups), sampling.estimate(), 0.3);
        sampling.clear();
        assertEquals(0, sampling.estimate());
    }

    private long actual(Groups groups) {
        return groups.groups.stream()
                .filter(group -> !group.isEmpty())
                .mapToLong(sizes::sizeOf)
                .sum();
    }
}
