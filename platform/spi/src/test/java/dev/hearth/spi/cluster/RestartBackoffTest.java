package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Back-off between restarts of executors. */
class RestartBackoffTest {
    private static final long BEGIN = -5; // nanosecond counters may be negative
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final RestartBackoff pause = new RestartBackoff(BEGIN);

    @Test
    void isZeroInitiallyAndAfterTheFirstEarlyEnd() {
        assertEquals(Duration.ZERO, pause.remaining(BEGIN));
        pause.noteEnd(BEGIN, BEGIN);
        assertEquals(Duration.ZERO, pause.remaining(BEGIN));
    }

    @Test
    void doublesUpToTheMaximumAndExpires() {
        for (Duration expected : new Duration[] {
            Duration.ZERO,
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8),
            Duration.ofSeconds(8)
        }) {
            pause.noteEnd(BEGIN, BEGIN);
            assertEquals(expected, pause.remaining(BEGIN));
        }
        assertEquals(8, pause.earlyEnds());
        assertEquals(
                Duration.ofSeconds(5),
                pause.remaining(BEGIN + Duration.ofSeconds(3).toNanos()));
        assertEquals(Duration.ZERO, pause.remaining(BEGIN + MINUTE));
    }

    @Test
    void resetsAfterAStableExecutor() {
        pause.noteEnd(BEGIN, BEGIN);
        pause.noteEnd(BEGIN, BEGIN);
        pause.noteEnd(BEGIN, BEGIN + MINUTE);
        assertEquals(0, pause.earlyEnds());
        assertEquals(Duration.ZERO, pause.remaining(BEGIN + MINUTE));
        assertTrue(RestartBackoff.isStable(BEGIN, BEGIN + MINUTE));
        assertFalse(RestartBackoff.isStable(BEGIN, BEGIN + MINUTE - 1));
    }
}
