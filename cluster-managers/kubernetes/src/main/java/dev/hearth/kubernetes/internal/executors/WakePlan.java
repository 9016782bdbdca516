package dev.hearth.kubernetes.internal.executors;

import java.time.Duration;
import java.util.Optional;

/** The next wake that was requested, so that an earlier one alone is requested in addition. Owned by {@link PodAllocator}. */
final class WakePlan {
    private boolean planned;
    private long atNanos;

    /** Handles that a wake has come. */
    void woken() {
        planned = false;
    }

    /** Plans a wake in {@code nanos}, the largest number for none; returns its delay if it has to be requested. */
    Optional<Duration> plan(long nanos, long now) {
        long delay = Math.max(0, nanos);
        if (nanos == Long.MAX_VALUE || (planned && atNanos - (now + nanos) <= 0)) {
            return Optional.empty();
        }
        planned = true;
        atNanos = now + delay;
        return Optional.of(Duration.ofNanos(delay));
    }
}
