package dev.hearth.testkit.machine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Polls for conditions that no event announces, such as a new log line. It polls with back-off, within a time limit.
 * Tests wait for real time only here; wherever there is an event, they wait for the event.
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

    /**
     * Waits until {@code condition} holds; {@code what} describes it in the failure, and {@code found} the actual
     * state.
     */
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
