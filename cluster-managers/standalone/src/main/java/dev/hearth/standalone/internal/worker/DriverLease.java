package dev.hearth.standalone.internal.worker;

import java.time.Duration;

/**
 * Permission of a master to run supervised drivers, from {@code fromNanos} on for {@code lengthNanos}. A master that has
 * not renewed it for most of that time is probably unreachable.
 */
record DriverLease(long fromNanos, long lengthNanos) {
    private static final int CHECKS_OF_EXPIRED = 10; // in the length of a lease
    private static final int SILENT_NUMERATOR = 3; // three of four heartbeats have no answer
    private static final int SILENT_DENOMINATOR = 4;

    DriverLease renewed(long nanos) {
        return new DriverLease(Math.max(nanos, fromNanos), lengthNanos);
    }

    boolean hasExpired(long now) {
        return now - fromNanos >= lengthNanos;
    }

    /** Whether the master has been silent for so long that another connection should be tried. */
    boolean isSilent(long now) {
        return now - fromNanos >= silentNanos();
    }

    private long silentNanos() {
        return lengthNanos / SILENT_DENOMINATOR * SILENT_NUMERATOR;
    }

    /** Time until the next change; at least a part of its length, so that an expired one is not checked all the time. */
    Duration untilCheck(long now) {
        long passed = now - fromNanos;
        if (passed < silentNanos()) {
            return Duration.ofNanos(silentNanos() - passed);
        }
        long left = lengthNanos - passed;
        return Duration.ofNanos(left > 0 ? left : lengthNanos / CHECKS_OF_EXPIRED);
    }
}
