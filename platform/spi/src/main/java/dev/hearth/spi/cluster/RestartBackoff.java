package dev.hearth.spi.cluster;

import java.time.Duration;

/**
 * Back-off for restarting executors of one application. An executor ends early if it lasted less than a minute. The
 * first early end causes no delay. Each further early end in a row doubles the delay, up to 8 s. An executor that
 * lasted longer resets the delay. This class reads no clock: callers pass the time, in nanoseconds of a ticker. Owned
 * by the component that starts the application's executors.
 */
public final class RestartBackoff {
    /** Run time from which on an executor counts as stable, so that its end is not early. */
    private static final Duration STABLE_AFTER = Duration.ofMinutes(1);

    private static final Duration FIRST = Duration.ofMillis(250);
    private static final int DOUBLINGS_MAX = 5; // 8 s

    private int earlyEnds;
    private long notBeforeNanos;

    public RestartBackoff(long now) {
        notBeforeNanos = now;
    }

    /**
     * Whether an executor started at {@code startedNanos} has lasted for at least a minute at {@code now}, and so
     * counts as stable.
     */
    public static boolean isStable(long startedNanos, long now) {
        return now - startedNanos >= STABLE_AFTER.toNanos();
    }

    /**
     * Records that an executor started at {@code startedNanos} has ended at {@code now}, although the application had
     * not released it.
     */
    public void noteEnd(long startedNanos, long now) {
        earlyEnds = isStable(startedNanos, now) ? 0 : earlyEnds + 1;
        int doublings = Math.min(earlyEnds - 2, DOUBLINGS_MAX);
        notBeforeNanos = doublings < 0 ? now : now + (FIRST.toNanos() << doublings);
    }

    /** Number of the most recent ends in a row that were early; 0 if the last executor that ended was stable. */
    public int earlyEnds() {
        return earlyEnds;
    }

    /** Delay until the next executor may start; zero if it may start now. */
    public Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, notBeforeNanos - now));
    }
}
