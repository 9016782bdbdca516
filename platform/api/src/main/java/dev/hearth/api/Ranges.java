package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Counts numbers by the range they are in; bounds ascend. */
@SuppressWarnings("ArrayRecordComponent") // never changed by anybody
record Ranges(double[] bounds, boolean even) implements TaskFunction<Double, List<Long>> {
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

    /** Below 0 where the number is in none. */
    private int range(double number) {
        int last = bounds.length - 1;
        if (!(number >= bounds[0] && number <= bounds[last])) {
            return -1;
        }
        if (even) {
            return near(number, (int) ((number - bounds[0]) / (bounds[last] - bounds[0]) * last));
        }
        int found = Arrays.binarySearch(bounds, number == 0 ? 0.0 : number); // there are two zeros
        return found < 0 ? -found - 2 : Math.min(found, last - 1);
    }

    /** What was computed may be rounded past a bound. */
    private int near(double number, int computed) {
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

    static long[] counts(DoubleRdd dataset, double[] given) {
        return counts(dataset, given, false);
    }

    static long[] evenCounts(DoubleRdd dataset, double[] given) {
        return counts(dataset, given, true);
    }

    private static long[] counts(DoubleRdd dataset, double[] given, boolean even) {
        if (given.length < 2) {
            throw ArgumentChecks.refused("histogram", given.length + " bounds (expected: 2 or more, ascending)");
        }
        double[] bounds = given.clone();
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] += 0.0; // there are two zeros
            if (i > 0 && !(bounds[i] > bounds[i - 1])) {
                throw ArgumentChecks.refused(
                        "histogram",
                        "bound " + bounds[i] + " after " + bounds[i - 1] + " (expected: bounds that ascend)");
            }
        }
        long[] counts = new long[bounds.length - 1];
        for (List<Long> part : dataset.evaluate(new Ranges(bounds, even))) {
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
                            + " (expected: finite ones); filter the others out, or give bounds");
        }
        int used = width == 0 ? 1 : ranges;
        double[] bounds = new double[used + 1];
        for (int i = 0; i < used; i++) {
            bounds[i] = stats.min() + width * i / used;
        }
        bounds[used] = stats.max();
        List<Double> shown = Arrays.stream(bounds).boxed().toList();
        if (width == 0) { // one number alone, as often as it is there
            return new Histogram(shown, List.of(stats.count()));
        }
        return new Histogram(
                shown, Arrays.stream(evenCounts(dataset, bounds)).boxed().toList());
    }
}
