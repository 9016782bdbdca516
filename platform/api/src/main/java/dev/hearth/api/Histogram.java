package dev.hearth.api;

import java.util.List;

/**
 * The count of numbers in each of several ranges. A range starts at one bound (inclusive) and ends at the next bound
 * (exclusive); the last range includes its upper bound.
 */
public record Histogram(List<Double> bounds, List<Long> counts) {
    public Histogram {
        bounds = List.copyOf(bounds);
        counts = List.copyOf(counts);
    }
}
