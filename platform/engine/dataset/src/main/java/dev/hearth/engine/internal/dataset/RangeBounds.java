package dev.hearth.engine.internal.dataset;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides sorted keys into ranges of nearly equal weight, for a sort. A key whose weight is that of a whole range ends
 * its range, and the other ranges divide the remaining weight equally. Stateless.
 */
final class RangeBounds {
    private static final double ROUNDING = 1e-9; // tolerated relative rounding error of summed weights

    private RangeBounds() {}

    /** A sampled key and its weight: the number of pairs that it represents. */
    record Weighed(@Nullable Object key, double weight) {}

    /**
     * The upper bounds of all ranges but the last, which has none. If there are too few keys, there are fewer than
     * {@code ranges}. {@code groups} are the sampled keys, ascending and distinct.
     */
    static List<@Nullable Object> of(List<Weighed> groups, int ranges) {
        List<@Nullable Object> bounds = new ArrayList<>();
        double left = groups.stream().mapToDouble(Weighed::weight).sum();
        double step = left / ranges;
        double range = 0;
        for (int i = 0; i + 1 < groups.size() && bounds.size() < ranges - 1; i++) {
            range += groups.get(i).weight();
            double next = groups.get(i + 1).weight();
            boolean isFull = range >= step - step * ROUNDING;
            // the range ends here if the next key would take its weight further from `step`
            if (isFull || range + next - step > step - range) {
                bounds.add(groups.get(i).key());
                left -= range;
                range = 0;
                step = left / (ranges - bounds.size());
            }
        }
        return bounds;
    }
}
