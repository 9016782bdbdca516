package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Step;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Looks whether a stage can do with what is kept of datasets. By a stack of its own, for branches are deep. */
final class CacheCoverage {
    private static final int ROOT = -1;

    private final Pipeline.Branch root;
    private final List<Pipeline.Branch> branches;
    private final CacheStatus kept;
    private final ArrayDeque<NarrowDependencies.BranchPartition> missing = new ArrayDeque<>();
    private final Set<NarrowDependencies.BranchPartition> seen = new LinkedHashSet<>();

    CacheCoverage(Pipeline.Branch root, List<Pipeline.Branch> branches, CacheStatus kept) {
        this.root = root;
        this.branches = branches;
        this.kept = kept;
    }

    /** Whether those partitions need no shuffle. */
    boolean holds(int[] partitions) {
        if (isKept(root, partitions)) {
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
            if (!seen.add(part) || isKept(branch, new int[] {part.partition()})) {
                continue;
            }
            if (branch.source().readsShuffle()) {
                return false;
            }
            branch.source().parts().of(part.partition()).forEach(missing::push);
        }
        return true;
    }

    private boolean isKept(Pipeline.Branch branch, int[] partitions) {
        return branch.steps().stream()
                .anyMatch(step -> step instanceof Step.Persist persist && kept.areThere(persist.dataset(), partitions));
    }
}
