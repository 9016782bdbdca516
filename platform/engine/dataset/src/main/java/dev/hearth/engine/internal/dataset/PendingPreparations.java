package dev.hearth.engine.internal.dataset;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Looks through a lineage for what has to be found out before it can be planned. No state of its own. */
final class PendingPreparations {
    private PendingPreparations() {}

    /** Those that {@code end} needs, each after those that it needs itself. By a stack of its own, for lineages are deep. */
    static List<Preparation> below(Lineage end) {
        List<Preparation> found = new ArrayList<>();
        Set<Lineage> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> stack =
                new ArrayDeque<>(); // lineages to look into, what was found in a lineage that was looked into
        stack.push(end);
        while (!stack.isEmpty()) {
            Object at = stack.pop();
            if (at instanceof Preparation deferred) {
                found.add(deferred);
            } else if (at instanceof Lineage lineage && seen.add(lineage)) {
                look(lineage, stack);
            }
        }
        return found;
    }

    private static void look(Lineage lineage, ArrayDeque<Object> stack) {
        if (lineage instanceof Lineage.Shuffled shuffled) {
            for (Lineage.ShuffleSide side : shuffled.sides()) {
                if (side.spread() instanceof SampledKeyRanges ranges) {
                    push(ranges, stack);
                }
            }
        } else if (lineage instanceof Lineage.TwoPass surveyed) {
            push(surveyed.survey(), stack);
        }
        lineage.parents().forEach(stack::push);
    }

    /** It comes after what it reads, which is pushed later. */
    private static void push(Preparation deferred, ArrayDeque<Object> stack) {
        if (!deferred.isDecided()) {
            stack.push(deferred);
        }
    }
}
