package dev.hearth.testkit.machine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits for what tells nobody that it has happened: a file that grew, a line of a log, a count. Looks again and again, ever less
 * often, within a bound. The one place where a test waits for time to pass; where there is an event to wait for, wait for that.
 */
public final class Eventually {
    private static final long LOOK_NANOS_LEAST = 1_000_000;
    private static final long LOOK_NANOS_MOST = 100_000_000;

    private Eventually() {}

    /** What is to become true; may fail, which ends the waiting. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    /** Waits until {@code condition} holds; {@code what} says it in words. */
    public static <E extends Exception> void until(String what, Condition<E> condition, Duration bound) throws E {
        until(what, condition, bound, () -> "not so");
    }

    /** As the other; {@code found} says how it is instead. */
    public static <E extends Exception> void until(
            String what, Condition<E> condition, Duration bound, Supplier<String> found) throws E {
        long end = System.nanoTime() + bound.toNanos();
        long pause = LOOK_NANOS_LEAST;
        while (!condition.holds()) {
            long left = end - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                String when = left <= 0 ? "after " + bound.toMillis() + " ms" : "when its thread was interrupted";
                throw new AssertionError(found.get() + " " + when + " (expected: " + what + ")");
            }
            LockSupport.parkNanos(Math.min(pause, left));
            pause = Math.min(2 * pause, LOOK_NANOS_MOST);
        }
    }
}
