package dev.hearth.yarn.internal.allocator;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Pace of a line's beats: quick while asks are open, each half as long again up to the idle interval; at once for orders and
 * doubts, but never within 100 ms of the last answer. A ResourceManager that has come back grants nothing for a while, by default
 * 10 s; open asks are not beaten for more slowly meanwhile. A state machine without a clock.
 */
final class Beats {
    private static final long LEAST_NANOS = Duration.ofMillis(100).toNanos();
    /** Most time between two beats for open asks in the first seconds of a ResourceManager that has come back. */
    private static final long RECOVERING_NANOS = Duration.ofMillis(500).toNanos();

    private static final long RECOVERY_NANOS = Duration.ofSeconds(15).toNanos();
    /** Beats after the first one for an executor in doubt. */
    private static final int FOR_DOUBT = 2;

    private final long firstNanos;
    private final long idleNanos;
    private long intervalNanos;
    private int doubts;
    private boolean hasOrders; // that may have missed the beat that is under way
    private boolean answered;
    private long answeredNanos;
    private OptionalLong recoveredNanos = OptionalLong.empty();

    Beats(AllocatorRules.Pace pace) {
        idleNanos = pace.idle().toNanos();
        firstNanos = Math.min(pace.pending().toNanos(), idleNanos);
        intervalNanos = firstNanos;
    }

    /** Delay of the beat for new orders. */
    Duration ordered(long now, boolean asks) {
        hasOrders = !answered || answeredNanos != now; // with an answer, no beat is under way
        intervalNanos = asks ? firstNanos : intervalNanos;
        return soon(now);
    }

    /** Delay of the first beat for an executor in doubt. */
    Duration doubted(long now) {
        doubts = FOR_DOUBT;
        return soon(now);
    }

    /** Notes that the ResourceManager, or its successor, has come back. */
    void recovered(long now) {
        intervalNanos = firstNanos;
        recoveredNanos = OptionalLong.of(now);
    }

    /** Delay of the beat that follows an answer at {@code now}. */
    Duration answered(boolean pending, boolean progress, long now) {
        answered = true;
        answeredNanos = now;
        intervalNanos = progress ? firstNanos : intervalNanos;
        long next = idleNanos;
        if (pending) {
            next = recovering(now) ? Math.min(intervalNanos, RECOVERING_NANOS) : intervalNanos;
            intervalNanos = Math.min(intervalNanos + intervalNanos / 2, idleNanos);
        }
        if (doubts > 0 || hasOrders) {
            next = Math.min(next, LEAST_NANOS);
            doubts = Math.max(0, doubts - 1);
            hasOrders = false;
        }
        return Duration.ofNanos(next);
    }

    private boolean recovering(long now) {
        return recoveredNanos.isPresent() && now - recoveredNanos.getAsLong() < RECOVERY_NANOS;
    }

    private Duration soon(long now) {
        long wait = answered ? answeredNanos + LEAST_NANOS - now : 0;
        return Duration.ofNanos(Math.max(0, wait));
    }
}
