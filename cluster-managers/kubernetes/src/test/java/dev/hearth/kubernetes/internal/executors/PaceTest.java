package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final Pace pace = new Pace(64);
    private long now = -5;

    private void succeed(int requests) {
        for (int i = 0; i < requests; i++) {
            pace.sent();
            pace.succeeded();
        }
    }

    private void refuse(RefusalKind kind, Duration retryAfter) {
        pace.sent();
        pace.refused(kind, retryAfter, now);
    }

    @Test
    void doublesUpToTheBound() {
        assertEquals(8, pace.free(now));
        succeed(8 + 16 + 32);
        assertEquals(64, pace.window());
        succeed(64);
        assertEquals(64, pace.window());
    }

    @Test
    void halvesOnceForOneWindowOfRefusalsAndThenGrowsByOne() {
        succeed(8 + 16);
        for (int i = 0; i < 4; i++) {
            pace.sent();
        }
        for (int i = 0; i < 4; i++) {
            pace.refused(RefusalKind.SERVER, Duration.ZERO, now);
        }
        assertEquals(16, pace.window());
        assertEquals(0, pace.free(now));
        now += Duration.ofMillis(200).toNanos();
        succeed(16);
        assertEquals(17, pace.window());
    }

    @Test
    void waitsAsLongAsTheServerDemands() {
        refuse(RefusalKind.THROTTLED, Duration.ofSeconds(7));
        assertEquals(Duration.ofSeconds(7), pace.remaining(now));
        now += Duration.ofSeconds(7).toNanos();
        assertEquals(4, pace.free(now));
    }

    @Test
    void probesAQuotaAtGrowingIntervals() {
        Duration[] pauses = new Duration[7];
        for (int i = 0; i < pauses.length; i++) {
            refuse(RefusalKind.QUOTA, Duration.ZERO);
            pauses[i] = pace.remaining(now);
            now += pauses[i].toNanos();
            assertEquals(1, pace.free(now));
        }
        assertEquals(Duration.ofSeconds(1), pauses[0]);
        assertEquals(Duration.ofSeconds(30), pauses[6]);
        succeed(1);
        assertEquals(8, pace.free(now));
    }

    @Test
    void resumesBeforeThePauseIsOver() {
        refuse(RefusalKind.QUOTA, Duration.ZERO);
        pace.resume();
        assertEquals(1, pace.free(now));
    }

    @Test
    void triesOneRequestAfterAMissingAnswer() {
        pace.sent();
        pace.unanswered(now);
        now += Duration.ofSeconds(1).toNanos();
        assertEquals(1, pace.free(now));
        assertTrue(pace.remaining(now).isZero());
    }
}
