package dev.hearth.kubernetes.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.client.Renewal.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times at which credentials are read again. */
class RenewalTest {
    private static final long SECOND = Renewal.PAUSE_NANOS;

    private final Renewal<String> renewal = new Renewal<>();

    private Renewal.Held<String> held() {
        return renewal.held().orElseThrow();
    }

    @Test
    void readsOnceForAllThatWait() {
        assertEquals(Step.READ, renewal.wanted(0));
        assertEquals(Step.WAIT, renewal.wanted(0));
        renewal.read("a", SECOND, 10 * SECOND);
        assertEquals(Step.USE, renewal.wanted(SECOND - 1));
        assertEquals(Step.READ, renewal.wanted(SECOND));
    }

    @Test
    void countsValues() {
        renewal.wanted(0);
        renewal.read("a", SECOND, 10 * SECOND);
        long first = held().serial();
        renewal.wanted(SECOND);
        renewal.read("a", 2 * SECOND, 10 * SECOND);
        assertEquals(first, held().serial());
        renewal.wanted(2 * SECOND);
        renewal.read("b", 3 * SECOND, 10 * SECOND);
        assertTrue(held().serial() > first);
        assertEquals(Step.USE, renewal.refused(first, 2 * SECOND), "a newer one is there");
    }

    @Test
    void pausesLongerAndLongerWhileTheSameValueIsRefused() {
        renewal.wanted(0);
        renewal.read("a", Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
        List<Long> reads = new ArrayList<>();
        for (long now = 0; now < 150 * SECOND; now += SECOND) {
            if (renewal.refused(held().serial(), now) == Step.READ) {
                reads.add(now / SECOND);
                renewal.read("a", Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
            }
        }
        assertEquals(List.of(0L, 1L, 3L, 7L, 15L, 31L, 61L, 91L, 121L), reads);
    }

    @Test
    void forgetsPausesOfThePast() {
        renewal.wanted(0);
        renewal.read("a", Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
        for (long now : List.of(0L, SECOND, 3600 * SECOND, 3601 * SECOND)) {
            assertEquals(Step.READ, renewal.refused(held().serial(), now));
            renewal.read("a", Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
        }
    }

    @Test
    void keepsAValueThatCannotBeReadAgain() {
        renewal.wanted(0);
        renewal.read("a", SECOND, 10 * SECOND);
        assertEquals(Step.READ, renewal.wanted(SECOND));
        renewal.failed("away", SECOND);
        assertEquals(Step.USE, renewal.wanted(SECOND));
        assertEquals(Step.READ, renewal.wanted(2 * SECOND));
        renewal.failed("away", 10 * SECOND);
        assertTrue(renewal.held().isEmpty(), "it has ended");
        assertEquals(Step.GIVE_UP, renewal.wanted(10 * SECOND));
        assertEquals("away", renewal.failure());
        assertEquals(Step.READ, renewal.wanted(13 * SECOND));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42})
    void neverReadsTwiceAtATimeNorUsesAnEndedValue(long seed) {
        Random random = new Random(seed);
        boolean reading = false;
        int reads = 0;
        for (long now = 0; now < 10_000 * SECOND; now += random.nextInt(1_000_000_000)) {
            Step step = random.nextInt(4) == 0 && renewal.held().isPresent()
                    ? renewal.refused(held().serial(), now)
                    : renewal.wanted(now);
            if (step == Step.READ) {
                assertTrue(!reading, "two reads");
                reading = true;
                reads++;
            } else if (step == Step.USE) {
                assertTrue(now < held().endNanos(), "a value that has ended");
            }
            if (reading && random.nextBoolean()) {
                reading = false;
                if (random.nextInt(3) == 0) {
                    renewal.failed("away", now);
                } else {
                    renewal.read("v" + random.nextInt(3), now + SECOND, now + 5 * SECOND);
                }
            }
        }
        assertTrue(reads > 1000, "reads: " + reads);
    }
}
