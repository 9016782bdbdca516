package dev.hearth.standalone.internal.client;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Wait of a driver for a master after the loss of the connection: its cause, its length, and the pauses between attempts to
 * connect, which are random so that not all drivers come at once. Owned by the driver's event loop.
 */
final class MasterReturn {
    /** Time after which another attempt to connect to a single master begins. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration FIRST_MAX = Duration.ofMillis(250);
    private static final Duration PAUSE_FIRST = Duration.ofMillis(200);
    private static final Duration PAUSE_SOON_MAX = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    private static final int SOON_ATTEMPTS = 30;
    private static final double SPREAD_LEAST = 0.5; // of a pause
    private static final double SPREAD_MOST = 1.5;

    private final RandomGenerator random;
    private Duration pause = PAUSE_FIRST;
    private int attempts;
    private long begun; // attempts of all losses
    private boolean underWay;
    private String reason = "";
    private long sinceNanos;

    /** {@code driver} names the driver, so that each has pauses of its own. */
    MasterReturn(String driver) {
        this.random = new Random(driver.hashCode());
    }

    /** The connection is lost at {@code now}. */
    void lost(String why, long now) {
        reason = why;
        sinceNanos = now;
        pause = PAUSE_FIRST;
        attempts = 0;
    }

    String reason() {
        return reason;
    }

    long awayNanos(long now) {
        return now - sinceNanos;
    }

    /** Begins an attempt; returns its number. */
    long begin() {
        underWay = true;
        return ++begun;
    }

    /** Ends the attempt number {@code attempt}. Returns whether it was still under way. */
    boolean ends(long attempt) {
        boolean isPresent = underWay && attempt == begun;
        underWay &= !isPresent;
        return isPresent;
    }

    /** Pause before the first attempt. */
    Duration first() {
        return Duration.ofNanos(random.nextLong(FIRST_MAX.toNanos()));
    }

    /** Pause after another attempt that has failed. */
    Duration next() {
        Duration spread = Duration.ofNanos((long) (pause.toNanos() * random.nextDouble(SPREAD_LEAST, SPREAD_MOST)));
        attempts++;
        Duration most = attempts < SOON_ATTEMPTS ? PAUSE_SOON_MAX : PAUSE_MAX;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(most) < 0 ? doubled : most;
        return spread;
    }
}
