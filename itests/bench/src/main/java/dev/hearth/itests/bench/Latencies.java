package dev.hearth.itests.bench;

import java.util.Arrays;
import java.util.Locale;

/** How long each of a known number of calls took. Owned by one thread at a time; recording allocates nothing. */
final class Latencies {
    private static final double NANOS_PER_MICRO = 1e3;

    private final long[] nanos;
    private int recorded;

    Latencies(int callsMax) {
        nanos = new long[callsMax];
    }

    void record(long callNanos) {
        nanos[recorded++] = callNanos;
    }

    /** How many were recorded. */
    int count() {
        return recorded;
    }

    /** Median, 99th percentile and maximum, as a result line has them. */
    String summary() {
        long[] sorted = Arrays.copyOf(nanos, recorded);
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "p50_us=%.1f;p99_us=%.1f;max_us=%.1f",
                at(sorted, 0.5) / NANOS_PER_MICRO,
                at(sorted, 0.99) / NANOS_PER_MICRO,
                at(sorted, 1) / NANOS_PER_MICRO);
    }

    private static double at(long[] sorted, double rank) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.round(sorted.length * rank))];
    }
}
