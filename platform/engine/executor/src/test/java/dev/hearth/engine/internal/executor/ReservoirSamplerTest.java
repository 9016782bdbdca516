package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys are drawn evenly, without repetition, and the same ones each time. */
class ReservoirSamplerTest {
    private static final int DRAWS = 4_000;

    @Test
    void keepsAllWhileThereAreFew() {
        assertArrayEquals(new Object[] {3L, 0, 1, 2}, new ReservoirSampler(5, 1).draw(pairs(3)));
        assertArrayEquals(new Object[] {0L}, new ReservoirSampler(5, 1).draw(pairs(0)));
        assertArrayEquals(new Object[] {5L, 0, 1, 2, 3, 4}, new ReservoirSampler(5, 1).draw(pairs(5)));
    }

    @Test
    void drawsTheSameKeysOfTheSamePairs() {
        assertArrayEquals(
                new ReservoirSampler(7, 3).draw(pairs(10_000)), new ReservoirSampler(7, 3).draw(pairs(10_000)));
    }

    @Test
    void drawsEveryPairAboutEquallyOften() {
        int[] drawn = new int[50];
        for (int seed = 0; seed < DRAWS; seed++) {
            Object[] keys = new ReservoirSampler(5, seed).draw(pairs(drawn.length));
            assertEquals((long) drawn.length, keys[0]);
            assertEquals(6, Arrays.stream(keys).distinct().count());
            for (int i = 1; i < keys.length; i++) {
                drawn[(Integer) keys[i]]++;
            }
        }
        int due = DRAWS * 5 / drawn.length; // 400, give or take 19
        for (int key = 0; key < drawn.length; key++) {
            int times = drawn[key];
            assertTrue(Math.abs(times - due) < 100, "key " + key + ": " + times + " times, due " + due);
        }
    }

    private static Iterator<Object> pairs(int count) {
        return IntStream.range(0, count).<Object>mapToObj(i -> Pair.of(i, "x")).iterator();
    }
}
