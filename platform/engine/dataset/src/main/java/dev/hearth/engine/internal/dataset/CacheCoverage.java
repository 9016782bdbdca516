package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Step;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks whether the tasks of a stage can read cached blocks in place of every shuffle, so that no parent stage has to
 * run. Visits the branches of the stage with an explicit stack, because they can be nested deeply. Used for one check,
 * by one thread.
 */
final class CacheCoverage {
    private static final int ROOT = -1;

    private final Pipeline.Branch root;
    private final List<Pipeline.Branch> branches;
    private final CacheStatus cached;
    private final ArrayDeque<NarrowDependencies.BranchPartition> missing = new ArrayDeque<>();
    private final Set<NarrowDependencies.BranchPartition> seen = new LinkedHashSet<>();

    CacheCoverage(Pipeline.Branch root, List<Pipeline.Branch> branches, CacheStatus cached) {
        this.root = root;
        this.branches = branches;
        this.cached = cached;
    }

    /** Whether enough blocks are cached that the tasks of the given partitions need not read any shuffle. */
    boolean covers(int[] partitions) {
        if (isCached(root, partitions)) {
            return true;
        }
        if (!root.source().readsBranches()) {
            return false;
        }
        IntStream.of(partitions)
                .forEach(partition -> missing.add(new NarrowDependencies.BranchPartition(ROOT, partition)));
        while (!missing.isEmpty()) {
            NarrowDependencies.BranchPartition part = missing.pop();
            Pipeline.Branch branch = part.branch() == ROOT ? root : branches.get(part.branch());
            if (!seen.add(part) || isCached(branch, new int[] {part.partition()})) {
                continue;
            }
            if (branch.source().readsShuffle()) {
                return false;
            }
            branch.source().parts().of(part.partition()).forEach(missing::push);
        }
        return true;
    }

    private boolean isCached(Pipeline.Branch branch, int[] partitions) {
        return branch.steps().stream()
                .anyMatch(
                        step -> step instanceof Step.Persist persist && cached.areThere(persist.dataset(), partitions));
    }
}
