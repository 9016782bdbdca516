package dev.hearth.kubernetes.internal.executors;

import java.time.Duration;
import java.util.Optional;

/**
 * Ceiling of the rate at which pods are requested, for users who set the batches of Spark: in each period at most so many.
 * A state machine without a clock. Invariant: without a ceiling, it admits all requests.
 */
final class RateCeiling {
    private final Optional<PodRules.Ceiling> ceiling;
    private boolean begun;
    private long periodNanos; // begin of the current period
    private int requested; // within the current period

    RateCeiling(Optional<PodRules.Ceiling> ceiling) {
        this.ceiling = ceiling;
    }

    /** Whether one more pod may be requested now. */
    boolean admits(long now) {
        if (ceiling.isEmpty()) {
            return true;
        }
        if (!begun || now - periodNanos >= ceiling.get().period().toNanos()) {
            begun = true;
            periodNanos = now;
            requested = 0;
        }
        return requested < ceiling.get().pods();
    }

    /** Counts a request. */
    void requested() {
        requested++;
    }

    /** Time until one more pod may be requested; zero if it may be now. */
    Duration remaining(long now) {
        return admits(now) ? Duration.ZERO : ceiling.orElseThrow().period().minusNanos(now - periodNanos);
    }
}
