package dev.hearth.api;

import java.util.List;

/**
 * Counts of numbers in ranges: each from one bound (inclusive) to the next (exclusive); the last range includes its
 * upper bound.
 */
public record Histogram(List<Double> bounds, List<Long> counts) {
    public Histogram {
        bounds = List.copyOf(bounds);
        counts = List.copyOf(counts);
    }
}
