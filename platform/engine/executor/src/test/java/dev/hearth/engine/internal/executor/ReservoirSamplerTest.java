package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys are sampled uniformly, without repetition, and reproducibly. */
class ReservoirSamplerTest {
    private static final int SAMPLES = 4_000;

    @Test
    void keepsAllKeysOfASmallPartition() {
        assertArrayEquals(new Object[] {3L, 0, 1, 2}, new ReservoirSampler(5, 1).sample(pairs(3)));
        assertArrayEquals(new Object[] {0L}, new ReservoirSampler(5, 1).sample(pairs(0)));
        assertArrayEquals(new Object[] {5L, 0, 1, 2, 3, 4}, new ReservoirSampler(5, 1).sample(pairs(5)));
    }

    @Test
    void samplesTheSameKeysOfTheSamePairs() {
        assertArrayEquals(
                new ReservoirSampler(7, 3).sample(pairs(10_000)), new ReservoirSampler(7, 3).sample(pairs(10_000)));
    }

    @Test
    void samplesEveryPairAboutEquallyOften() {
        int[] drawn = new int[50];
        for (int seed = 0; seed < SAMPLES; seed++) {
            Object[] keys = new ReservoirSampler(5, seed).sample(pairs(drawn.length));
            assertEquals((long) drawn.length, keys[0]);
            assertEquals(6, Arrays.stream(keys).distinct().count());
            for (int i = 1; i < keys.length; i++) {
                drawn[(Integer) keys[i]]++;
            }
        }
        int due = SAMPLES * 5 / drawn.length; // 400, with a standard deviation of 19
        for (int key = 0; key < drawn.length; key++) {
            int times = drawn[key];
            assertTrue(Math.abs(times - due) < 100, "key " + key + ": " + times + " times, due " + due);
        }
    }

    private static Iterator<Object> pairs(int count) {
        return IntStream.range(0, count).<Object>mapToObj(i -> Pair.of(i, "x")).iterator();
    }
}
