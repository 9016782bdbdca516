package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CreationFailuresTest {
    private static final Answer.Refused THROTTLED =
            new Answer.Refused(RefusalKind.THROTTLED, "HTTP status 429", Duration.ofSeconds(1));

    private final Hindrances hindrances = new Hindrances();
    private final CreationFailures failures = CreationFailures.ofPods(hindrances);

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    @Test
    void tellsThatTheServerHasTooManyRequestsOnlyIfNoneSucceedsForAWhile() { // K19
        for (int second = 0; second < 60; second++) {
            assertEquals(Optional.empty(), failures.refused(THROTTLED, false, seconds(second)));
            assertEquals(Optional.empty(), hindrances.change(), "at " + second + " s");
            if (second % 9 == 0) {
                failures.succeeded();
            }
        }
        for (int second = 60; second < 75; second++) {
            failures.refused(THROTTLED, false, seconds(second));
        }
        assertTrue(hindrances.change().orElseThrow().contains("the API server has too many requests"));
        failures.succeeded();
        assertEquals(Optional.of(""), hindrances.change());
    }

    @Test
    void givesUpAServerThatOnlyHasTooManyRequests() {
        assertEquals(Optional.empty(), failures.refused(THROTTLED, false, 0));
        assertEquals(Optional.empty(), failures.refused(THROTTLED, true, seconds(3_600)), "an executor runs");
        assertTrue(failures.refused(THROTTLED, false, seconds(3_600)).isPresent());
    }
}
