package dev.hearth.engine.internal.scheduler;

import java.util.OptionalLong;

/**
 * Comparison of deadlines, which are readings of a monotonic clock. The readings may overflow, so only their
 * differences are compared. Stateless.
 */
final class Deadlines {
    private Deadlines() {}

    static OptionalLong earlier(OptionalLong first, long other) {
        return OptionalLong.of(first.isEmpty() || other - first.getAsLong() < 0 ? other : first.getAsLong());
    }

    static OptionalLong earlier(OptionalLong first, OptionalLong other) {
        return other.isEmpty() ? first : earlier(first, other.getAsLong());
    }
}
