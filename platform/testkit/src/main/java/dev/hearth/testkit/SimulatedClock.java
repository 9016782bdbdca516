package dev.hearth.testkit;

import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.time.Instant;

/**
 * Monotonic clock and calendar of one simulated process. Both show the time of the simulation until a test sets a drift
 * or an offset.
 */
final class SimulatedClock implements Ticker {
    static final int DRIFT_MILLIONTHS_MAX = 100_000;
    private static final long THOUSAND = 1_000;
    private static final long MILLION = 1_000_000;

    private final Simulation simulation;
    private final long beganNanos;
    private long trueNanos; // simulation time at the last change of the clock's rate
    private long shownNanos; // time shown at the last change of the clock's rate
    private long driftMillionths;
    private Duration wallOffset = Duration.ZERO;

    SimulatedClock(Simulation simulation) {
        this.simulation = simulation;
        this.beganNanos = Simulation.NANOS_START;
        this.trueNanos = simulation.ticker().nanos();
        this.shownNanos = trueNanos;
    }

    @Override
    public long nanos() {
        long passed = simulation.ticker().nanos() - trueNanos;
        return shownNanos + passed + passed / THOUSAND * driftMillionths / THOUSAND;
    }

    @Override
    public Instant wall() {
        return Simulation.WALL_START.plusNanos(nanos() - beganNanos).plus(wallOffset);
    }

    void skew(Duration offset, int millionths) {
        if (Math.abs(millionths) > DRIFT_MILLIONTHS_MAX) {
            throw new IllegalArgumentException(
                    "drift: " + millionths + " millionths (expected: at most " + DRIFT_MILLIONTHS_MAX + " either way)");
        }
        shownNanos = nanos();
        trueNanos = simulation.ticker().nanos();
        driftMillionths = millionths;
        wallOffset = offset;
    }

    /** Duration in simulated time during which this clock, with its drift, advances by {@code shown}. */
    Duration real(Duration shown) {
        return driftMillionths == 0
                ? shown
                : shown.multipliedBy(MILLION)
                        .dividedBy(MILLION + driftMillionths)
                        .plusNanos(1);
    }
}
