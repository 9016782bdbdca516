package dev.hearth.kubernetes.internal.executors;

import java.time.Duration;

/**
 * End of an application: all its pods are deleted by one request, and by another one if an answer to the creation of a pod
 * came later. A state machine without a clock, owned by {@link PodAllocator}.
 */
final class Closing {
    private static final Duration BOUND = Duration.ofSeconds(5);

    private long endNanos;
    private boolean again; // an answer came late, so that a pod may appear after the deletion of all
    private boolean deleted;

    void begin(long now) {
        endNanos = now + BOUND.toNanos();
    }

    /** Handles the answer to the creation of a pod. */
    void created() {
        again = true;
    }

    /** Handles the answer to the deletion of all pods. */
    void deleted(boolean succeeded) {
        deleted = succeeded;
    }

    /** Whether all pods are to be deleted now, with {@code inFlight} creations under way; the answer holds for one request. */
    boolean takeDeletion(int inFlight) {
        boolean due = deleted && again && inFlight == 0;
        if (due) {
            again = false;
            deleted = false;
        }
        return due;
    }

    boolean isLate(long now) {
        return now - endNanos >= 0;
    }

    boolean isOver(int inFlight, long now) {
        return isLate(now) || (deleted && inFlight == 0);
    }

    /** Nanoseconds until the end is not awaited any longer. */
    long remaining(long now) {
        return endNanos - now;
    }
}
