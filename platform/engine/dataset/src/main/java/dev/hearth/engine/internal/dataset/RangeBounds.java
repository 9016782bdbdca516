package dev.hearth.engine.internal.dataset;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts keys in order into ranges of nearly equal weight. A key that alone weighs as much as a range has one of its own, and what is
 * left is shared by the ranges that are left. No state of its own.
 */
final class RangeBounds {
    private static final double ROUNDING = 1e-9; // what sums of weights may be off by

    private RangeBounds() {}

    /** A key and how many pairs it stands for. */
    record Weighed(@Nullable Object key, double weight) {}

    /** The largest keys of all ranges but the last; fewer when there are not so many keys. {@code groups}: ascending, all different. */
    static List<@Nullable Object> of(List<Weighed> groups, int ranges) {
        List<@Nullable Object> bounds = new ArrayList<>();
        double left = groups.stream().mapToDouble(Weighed::weight).sum();
        double step = left / ranges;
        double range = 0;
        for (int i = 0; i + 1 < groups.size() && bounds.size() < ranges - 1; i++) {
            range += groups.get(i).weight();
            double next = groups.get(i + 1).weight();
            boolean isFull = range >= step - step * ROUNDING;
            if (isFull || range + next - step > step - range) { // the next one would make it worse
                bounds.add(groups.get(i).key());
                left -= range;
                range = 0;
                step = left / (ranges - bounds.size());
            }
        }
        return bounds;
    }
}
