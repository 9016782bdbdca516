package dev.hearth.spi.cluster;

import java.time.Duration;

/**
 * When the next executor of an application may start: after one that ended soon after its start at once, after more of these
 * in a row later and later; one that lasted begins the count anew. A state machine: time arrives as an argument, in
 * nanoseconds of a ticker. Owned by whoever starts executors, one per application.
 */
public final class RestartBackoff {
    /** An executor that lasted this long is one that works. */
    private static final Duration STABLE_AFTER = Duration.ofMinutes(1);

    private static final Duration FIRST = Duration.ofMillis(250);
    private static final int DOUBLINGS_MAX = 5; // 8 s

    private int earlyEnds;
    private long notBeforeNanos;

    public RestartBackoff(long now) {
        notBeforeNanos = now;
    }

    /** Whether an executor has lasted long enough to count as one that works. */
    public static boolean isStable(long startedNanos, long now) {
        return now - startedNanos >= STABLE_AFTER.toNanos();
    }

    /** Notes the end of an executor that nobody asked to end. */
    public void noteEnd(long startedNanos, long now) {
        earlyEnds = isStable(startedNanos, now) ? 0 : earlyEnds + 1;
        int doublings = Math.min(earlyEnds - 2, DOUBLINGS_MAX);
        notBeforeNanos = doublings < 0 ? now : now + (FIRST.toNanos() << doublings);
    }

    /** How many ended soon after their start, one after another. */
    public int earlyEnds() {
        return earlyEnds;
    }

    /** How long it is until the next one may start; zero when it may. */
    public Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, notBeforeNanos - now));
    }
}
