package dev.hearth.api;

import java.util.List;

/** How many numbers are in which range: from one bound up to the next, the last bound being in the last range. */
public record Histogram(List<Double> bounds, List<Long> counts) {
    public Histogram {
        bounds = List.copyOf(bounds);
        counts = List.copyOf(counts);
    }
}
