package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Formats a lineage for {@code toDebugString}: one line for each dataset, with its parents below, indented at each
 * shuffle. Stateless.
 */
final class LineageText {
    private static final int LINES_MAX = 1_000; // an iterative program may create a deeper lineage

    private record Line(Lineage lineage, int depth) {}

    private LineageText() {}

    static String of(Lineage end, CacheStatus cached) {
        List<String> lines = new ArrayList<>();
        IdentityHashMap<Lineage, Boolean> shown = new IdentityHashMap<>();
        ArrayDeque<Line> stack = new ArrayDeque<>();
        stack.push(new Line(end.current(), 0));
        while (!stack.isEmpty() && lines.size() < LINES_MAX) {
            Line line = stack.pop();
            Lineage at = line.lineage();
            boolean again = shown.put(at, true) != null;
            lines.add("  ".repeat(line.depth())
                    + text(at, cached)
                    + (again && !at.parents().isEmpty() ? ", as above" : ""));
            if (!again) {
                boolean deeper = at instanceof Lineage.Shuffled || at.parents().size() > 1;
                List<Lineage> parents = new ArrayList<>(at.parents());
                Collections.reverse(parents);
                parents.forEach(parent -> stack.push(new Line(parent.current(), line.depth() + (deeper ? 1 : 0))));
            }
        }
        if (!stack.isEmpty()) {
            lines.add("...");
        }
        return String.join("\n", lines);
    }

    private static String text(Lineage at, CacheStatus cached) {
        StorageLevel level = cached.level(at.dataset());
        return "(" + at.partitions() + ") dataset " + at.dataset() + " " + kind(at)
                + (level == StorageLevel.NONE ? "" : " [" + level + "]");
    }

    private static String kind(Lineage at) {
        if (at instanceof Lineage.Root given) {
            return given.source().label();
        }
        if (at instanceof Lineage.Transformed stepped) {
            return stepped.step().label();
        }
        if (at instanceof Lineage.Shuffled shuffled) {
            return shuffled.source().label() + " by shuffle "
                    + shuffled.source().shuffles();
        }
        if (at instanceof Lineage.Narrow gathered) {
            return gathered.source().label();
        }
        return "MAP_PARTITIONS_WITH_INDEX after a first pass";
    }
}
