package dev.hearth.spi.time;

import java.time.Instant;

/** Clock: a monotonic counter for durations and the calendar time for display. Any thread may call. */
public interface Ticker {
    /** Monotonic nanoseconds from an arbitrary origin; only differences are meaningful. */
    long nanos();

    Instant wall();

    /** Ticker that reads the clocks of the machine. */
    static Ticker system() {
        return new Ticker() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Instant wall() {
                return Instant.now();
            }
        };
    }
}
