package dev.hearth.testkit;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.time.Instant;

/**
 * Clock that moves only when the test advances it, for tests of a single state machine, without a {@link Simulation}.
 * Owned by the test's thread.
 */
public final class FakeTicker implements Ticker {
    private long nanos;
    private Instant wall = Simulation.WALL_START;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant wall() {
        return wall;
    }

    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time: " + time + " (expected: 0 or more)");
        }
        nanos += time.toNanos();
        wall = wall.plus(time);
    }
}
