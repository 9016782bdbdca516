package dev.hearth.engine.internal.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares prefix sorts of every distribution and size with the JDK's sort; rows of equal prefixes keep their order.
 */
class PrefixRadixSortTest {
    private static final int SIZE_MAX = 12_000;

    @Test
    void sortsAsTheJdkDoesAndKeepsTheOrderOfEqualNumbers() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            int size = random.nextInt(1 + random.nextInt(SIZE_MAX));
            int from = random.nextInt(1 + size);
            int until = from + random.nextInt(1 + size - from);
            int spread = random.nextInt(64);
            long base = random.nextLong();
            boolean skewed = random.nextBoolean();
            long[] keys = random.longs(size)
                    .map(number -> base + (number >>> spread >> (skewed ? (number & 63) : 0)))
                    .toArray();
            long[] input = keys.clone();
            long[] rows = IntStream.range(0, size).asLongStream().toArray();
            PrefixRadixSort.sort(keys, rows, new long[size], new long[size], from, until);

            long[] wanted = input.clone();
            Arrays.sort(wanted, from, until);
            assertArrayEquals(wanted, keys, "seed " + seed);
            long[] wantedRows = IntStream.range(0, size).asLongStream().toArray();
            Long[] part = IntStream.range(from, until).mapToObj(i -> (long) i).toArray(Long[]::new);
            Arrays.sort(part, Comparator.comparing(row -> input[row.intValue()]));
            for (int i = from; i < until; i++) {
                wantedRows[i] = part[i - from];
            }
            assertArrayEquals(wantedRows, rows, "seed " + seed);
        }
    }
}
