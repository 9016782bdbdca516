package dev.hearth.testkit.machine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Polls for conditions without an event to wait for: a file that grew, a log line, a count. Polls with back-off, within
 * a bound. The only place where a test waits for real time; where there is an event, wait for the event.
 */
public final class Eventually {
    private static final long LOOK_NANOS_LEAST = 1_000_000;
    private static final long LOOK_NANOS_MOST = 100_000_000;

    private Eventually() {}

    /** Condition to wait for. An exception ends the wait. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    /** Waits until {@code condition} holds; {@code what} describes it in the failure. */
    public static <E extends Exception> void until(String what, Condition<E> condition, Duration bound) throws E {
        until(what, condition, bound, () -> "not so");
    }

    /** As above; {@code found} describes the actual state in the failure. */
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
