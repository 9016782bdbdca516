package dev.hearth.yarn.internal.allocator;

import java.time.Duration;
import java.util.Optional;

/** The next tick that was requested, so that only an earlier one is requested in addition. Owned by {@link Allocator}. */
final class NextTick {
    private boolean planned;
    private long atNanos;

    /** Handles that a tick has come. */
    void come() {
        planned = false;
    }

    /** Plans a tick in {@code nanos}, the largest number for none; returns its delay if it has to be requested. */
    Optional<Duration> plan(long nanos, long now) {
        if (nanos == Long.MAX_VALUE || (planned && atNanos - (now + nanos) <= 0)) {
            return Optional.empty();
        }
        planned = true;
        atNanos = now + nanos;
        return Optional.of(Duration.ofNanos(nanos));
    }
}
