package dev.hearth.itests.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker looks for old work directories at its start and after each interval. */
class WorkCleanupTest {
    private static final Duration INTERVAL = Duration.ofMinutes(30);
    private static final Duration RETENTION = Duration.ofDays(7);

    @Test
    void looksForOldDirectoriesAtEachInterval() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        cluster.simulation().runFor(INTERVAL.multipliedBy(3).plusMinutes(1));
        List<Instant> expected = new ArrayList<>();
        Instant first = cluster.machine()
                .loop("clock")
                .ticker()
                .wall()
                .minus(Duration.ofMinutes(91))
                .minus(RETENTION);
        for (int i = 0; i <= 3; i++) {
            expected.add(first.plus(INTERVAL.multipliedBy(i)));
        }
        assertEquals(expected, cluster.cleanups());
    }
}
