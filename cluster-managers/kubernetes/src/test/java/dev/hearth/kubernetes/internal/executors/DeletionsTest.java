package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Gathering of pods that one request deletes. */
class DeletionsTest {
    private static final int LOST = 1_000;

    private final Deletions deletions = new Deletions();
    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos(); // tickers may overflow
    private int requests;
    private int deleted;

    private void pass(Duration time) {
        long end = now + time.toNanos();
        while (end - now > 0) {
            now += Math.max(1, Math.min(end - now, deletions.remaining(now)));
            if (deletions.take(now)) {
                deletions.requests().forEach(executors -> {
                    requests++;
                    deleted += executors.size();
                });
            }
        }
    }

    @Test
    void deletesAThousandPodsThatAreLostOneByOneByTenRequests() { // K17
        for (int seconds = 1; seconds <= 4; seconds++) {
            requests = 0;
            deleted = 0;
            Duration between = Duration.ofSeconds(seconds).dividedBy(LOST);
            for (long executor = 1; executor <= LOST; executor++) {
                deletions.add(executor, now);
                pass(between);
            }
            pass(Duration.ofSeconds(2));
            assertEquals(LOST, deleted);
            int of = requests;
            assertTrue(of <= 10, () -> of + " requests");
            pass(Duration.ofSeconds(3));
        }
    }

    @Test
    void deletesAtOnceAfterAPause() {
        for (int time = 0; time < 4; time++) {
            deletions.add(time, now);
            pass(Duration.ofMillis(49));
            assertEquals(time, deleted);
            pass(Duration.ofMillis(1));
            assertEquals(time + 1, deleted);
            pass(Duration.ofSeconds(3));
        }
        assertFalse(deletions.take(now));
    }
}
