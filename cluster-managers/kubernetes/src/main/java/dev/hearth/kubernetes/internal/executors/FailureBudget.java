package dev.hearth.kubernetes.internal.executors;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Bounds of executors that fail: those that fail within a time, and those that end in a row without having registered,
 * after which creation pauses. A state machine without a clock.
 */
final class FailureBudget {
    /** Most failures that are remembered, hence the largest default bound. */
    static final int FAILURES_MAX = 10_000;

    private static final int FAILURES_LEAST = 3;
    private static final int EARLY_LEAST = 8;
    private static final int EARLY_MOST = 64;
    private static final Duration PAUSE_LEAST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MOST = Duration.ofSeconds(60);

    private final OptionalInt given;
    private final Optional<Duration> validity;
    private final Deque<Long> failures = new ArrayDeque<>();
    private int early; // ended in a row without having registered
    private int largestWanted;
    private boolean pausing;
    private long pauseEndNanos;

    /** Budget of {@code given} failures within {@code validity}, or ever; by default twice the executors wanted. */
    FailureBudget(OptionalInt given, Optional<Duration> validity) {
        this.given = given;
        this.validity = validity;
    }

    void wanted(int executors) {
        largestWanted = Math.max(largestWanted, executors);
    }

    void registered() {
        early = 0;
        pausing = false;
    }

    /** Counts the failure of an executor that had registered. */
    void failed(long now) {
        failures.addLast(now);
        if (failures.size() > FAILURES_MAX) {
            failures.removeFirst();
        }
    }

    /** Counts the end of an executor that never registered, and pauses creation. */
    void endedEarly(long now) {
        early++;
        long seconds = PAUSE_LEAST.toSeconds() << Math.min(early - 1, 6);
        Duration pause = Duration.ofSeconds(Math.min(seconds, PAUSE_MOST.toSeconds()));
        pauseEndNanos = now + pause.toNanos();
        pausing = true;
    }

    /** Whether executors ended early, so that one at a time is tried. */
    boolean isTrying() {
        return early > 0;
    }

    /** Time until the next executor may be created. */
    Duration remaining(long now) {
        pausing = pausing && now - pauseEndNanos < 0;
        return pausing ? Duration.ofNanos(pauseEndNanos - now) : Duration.ZERO;
    }

    /** Words for the user if a bound is exceeded; empty if none is. */
    Optional<String> exceeded(long now) {
        validity.ifPresent(time -> {
            while (!failures.isEmpty() && now - failures.getFirst() > time.toNanos()) {
                failures.removeFirst();
            }
        });
        int most = given.orElse(Math.min(FAILURES_MAX, Math.max(FAILURES_LEAST, twice(largestWanted))));
        if (failures.size() > most) {
            return Optional.of(failures.size() + " executors failed (expected: at most " + most
                    + ", hearth.executor.maxNumFailures)");
        }
        int earlyMost = Math.max(EARLY_LEAST, Math.min(EARLY_MOST, twice(largestWanted)));
        if (early >= earlyMost) {
            return Optional.of(early + " executors in a row ended without having registered (expected: fewer than "
                    + earlyMost + ")");
        }
        return Optional.empty();
    }

    private static int twice(int executors) {
        return (int) Math.min(FAILURES_MAX, 2L * executors);
    }
}
