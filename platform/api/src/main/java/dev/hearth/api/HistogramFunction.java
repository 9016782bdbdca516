package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Counts, for each range of a histogram, the numbers of a partition that are in that range. Each range is from one of
 * {@code bounds}, which must ascend, to the next.
 */
@SuppressWarnings("ArrayRecordComponent") // never modified
record HistogramFunction(double[] bounds, boolean even) implements TaskFunction<Double, List<Long>> {
    @Override
    public List<Long> apply(TaskContext task, Iterator<Double> elements) {
        long[] counts = new long[bounds.length - 1];
        elements.forEachRemaining(number -> {
            int range = range(number);
            if (range >= 0) {
                counts[range]++;
            }
        });
        return new ArrayList<>(Arrays.stream(counts).boxed().toList());
    }

    /** The index of the range that contains a number, or -1 if no range does. */
    private int range(double number) {
        int last = bounds.length - 1;
        if (!(number >= bounds[0] && number <= bounds[last])) {
            return -1;
        }
        if (even) {
            return corrected(number, (int) ((number - bounds[0]) / (bounds[last] - bounds[0]) * last));
        }
        int found = Arrays.binarySearch(bounds, number == 0 ? 0.0 : number); // -0.0 becomes 0.0
        return found < 0 ? -found - 2 : Math.min(found, last - 1);
    }

    /**
     * Corrects {@code computed}, the range index of {@code number} that a division gave and that may be wrong because
     * of rounding.
     */
    private int corrected(double number, int computed) {
        int last = bounds.length - 2;
        int range = Math.min(computed, last);
        while (range > 0 && number < bounds[range]) {
            range--;
        }
        while (range < last && number >= bounds[range + 1]) {
            range++;
        }
        return range;
    }

    static long[] counts(DoubleRdd dataset, double[] requested) {
        return counts(dataset, requested, false);
    }

    static long[] evenCounts(DoubleRdd dataset, double[] requested) {
        return counts(dataset, requested, true);
    }

    private static long[] counts(DoubleRdd dataset, double[] requested, boolean even) {
        if (requested.length < 2) {
            throw ArgumentChecks.refused("histogram", requested.length + " bounds (expected: 2 or more, ascending)");
        }
        double[] bounds = requested.clone();
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] += 0.0; // -0.0 becomes 0.0
            if (i > 0 && !(bounds[i] > bounds[i - 1])) {
                throw ArgumentChecks.refused(
                        "histogram",
                        "bound " + bounds[i] + " after " + bounds[i - 1] + " (expected: bounds that ascend)");
            }
        }
        long[] counts = new long[bounds.length - 1];
        for (List<Long> part : dataset.evaluate(new HistogramFunction(bounds, even))) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += part.get(i);
            }
        }
        return counts;
    }

    static Histogram histogram(DoubleRdd dataset, int ranges) {
        if (ranges < 1) {
            throw ArgumentChecks.refused("histogram", ranges + " ranges (expected: 1 or more)");
        }
        Statistics stats = dataset.stats();
        if (stats.count() == 0) {
            throw ArgumentChecks.empty("histogram");
        }
        double width = stats.max() - stats.min();
        if (Double.isNaN(width) || Double.isInfinite(width)) {
            throw ArgumentChecks.refused(
                    "histogram",
                    "numbers from " + stats.min() + " to " + stats.max()
                            + " (expected: finite numbers); filter the other elements out, or give bounds");
        }
        int used = width == 0 ? 1 : ranges;
        double[] bounds = new double[used + 1];
        for (int i = 0; i < used; i++) {
            bounds[i] = stats.min() + width * i / used;
        }
        bounds[used] = stats.max();
        List<Double> boxed = Arrays.stream(bounds).boxed().toList();
        if (width == 0) { // all numbers are equal
            return new Histogram(boxed, List.of(stats.count()));
        }
        return new Histogram(
                boxed, Arrays.stream(evenCounts(dataset, bounds)).boxed().toList());
    }
}
