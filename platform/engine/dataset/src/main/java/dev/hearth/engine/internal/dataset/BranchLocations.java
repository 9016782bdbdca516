package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Preferred locations of the tasks of a stage with several branches (datasets joined by narrow dependencies). A task
 * prefers the executors that cache a dataset which its steps compute; if several datasets are cached, the last one
 * counts. Without a cached result, the task prefers the locations of its input. Walks with an explicit stack, because
 * branches can be deep. Immutable.
 */
final class BranchLocations implements PreferredLocations {
    private static final int ROOT = -1;

    private final Pipeline.Branch root;
    private final List<Pipeline.Branch> branches;
    private final Lineage origin;
    private final List<Lineage> origins;
    private final CacheStatus cached;

    BranchLocations(
            Pipeline.Branch root,
            List<Pipeline.Branch> branches,
            Lineage origin,
            List<Lineage> origins,
            CacheStatus cached) {
        this.root = root;
        this.branches = List.copyOf(branches);
        this.origin = origin;
        this.origins = List.copyOf(origins);
        this.cached = cached;
    }

    @Override
    public List<String> preferred(int partition) {
        Set<String> places = new LinkedHashSet<>();
        Set<NarrowDependencies.BranchPartition> seen = new LinkedHashSet<>();
        ArrayDeque<NarrowDependencies.BranchPartition> stack = new ArrayDeque<>();
        stack.push(new NarrowDependencies.BranchPartition(ROOT, partition));
        while (!stack.isEmpty()) {
            NarrowDependencies.BranchPartition part = stack.pop();
            if (!seen.add(part)) {
                continue;
            }
            Pipeline.Branch branch = part.branch() == ROOT ? root : branches.get(part.branch());
            List<String> near = nearCached(branch, part.partition());
            Lineage from = part.branch() == ROOT ? origin : origins.get(part.branch());
            if (!near.isEmpty()) {
                places.addAll(near);
            } else if (from instanceof Lineage.Root given) {
                places.addAll(given.placement().preferred(part.partition()));
            } else {
                branch.source().parts().of(part.partition()).forEach(stack::push);
            }
        }
        return new ArrayList<>(places);
    }

    private List<String> nearCached(Pipeline.Branch branch, int partition) {
        List<Step> steps = branch.steps();
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i) instanceof Step.Persist persist) {
                List<String> places = cached.places(persist.dataset(), partition);
                if (!places.isEmpty()) {
                    return places;
                }
            }
        }
        return List.of();
    }
}
