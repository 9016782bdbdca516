package dev.hearth.engine.internal.dataset;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Finds the preparations that planning a lineage requires, such as the key sample of a sort. Stateless. */
final class PendingPreparations {
    private PendingPreparations() {}

    /**
     * The preparations that have not been made yet. A preparation comes after those on which it depends. Walks with an
     * explicit stack, because lineages can be deep.
     */
    static List<Preparation> of(Lineage end) {
        List<Preparation> found = new ArrayList<>();
        Set<Lineage> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        // Lineages to visit, and preparations. Above a preparation is the lineage that it depends on.
        ArrayDeque<Object> stack = new ArrayDeque<>();
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

    /** Pushes the preparation {@code deferred} onto the stack, unless its jobs have run already. */
    private static void push(Preparation deferred, ArrayDeque<Object> stack) {
        if (!deferred.isPrepared()) {
            stack.push(deferred);
        }
    }
}
