package dev.hearth.engine.internal.dataset;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Looks through a lineage for ranges of keys that have not been decided. No state of its own. */
final class UndecidedRanges {
    private UndecidedRanges() {}

    /** Those that {@code end} needs, each after those that it needs itself. By a stack of its own, for lineages are deep. */
    static List<KeyRanges> below(Lineage end) {
        List<KeyRanges> found = new ArrayList<>();
        Set<Lineage> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> stack = new ArrayDeque<>(); // lineages to look into, ranges whose lineage was looked into
        stack.push(end);
        while (!stack.isEmpty()) {
            Object at = stack.pop();
            if (at instanceof KeyRanges ranges) {
                found.add(ranges);
            } else if (at instanceof Lineage lineage && seen.add(lineage)) {
                look(lineage, stack);
            }
        }
        return found;
    }

    private static void look(Lineage lineage, ArrayDeque<Object> stack) {
        if (lineage instanceof Lineage.Shuffled shuffled) {
            for (Lineage.Side side : shuffled.sides()) {
                if (side.spread() instanceof KeyRanges ranges && !ranges.isDecided()) {
                    stack.push(ranges); // comes after what it reads
                }
                stack.push(side.from());
            }
        } else {
            lineage.parents().forEach(stack::push);
        }
    }
}
