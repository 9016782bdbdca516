package dev.hearth.spi.time;

import java.time.Instant;

/** What time it is: a steady count for durations, and the calendar for what people read. */
public interface Ticker {
    /** Nanoseconds since some fixed moment; only differences mean something. */
    long nanos();

    Instant wall();

    /** The machine's own clocks. */
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
