package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.Parts;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.StepKind;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Looks whether a stage can do with what is kept of datasets. By a stack of its own, for branches are deep. */
final class Coverage {
    private static final int ROOT = -1;

    private final Pipeline.Branch root;
    private final List<Pipeline.Branch> branches;
    private final Keepings kept;
    private final ArrayDeque<Parts.Part> missing = new ArrayDeque<>();
    private final Set<Parts.Part> seen = new LinkedHashSet<>();

    Coverage(Pipeline.Branch root, List<Pipeline.Branch> branches, Keepings kept) {
        this.root = root;
        this.branches = branches;
        this.kept = kept;
    }

    /** Whether those partitions need no shuffle. */
    boolean holds(int[] partitions) {
        if (isKept(root, partitions)) {
            return true;
        }
        if (!root.source().kind().gathers()) {
            return false;
        }
        IntStream.of(partitions).forEach(partition -> missing.add(new Parts.Part(ROOT, partition)));
        while (!missing.isEmpty()) {
            Parts.Part part = missing.pop();
            Pipeline.Branch branch = part.branch() == ROOT ? root : branches.get(part.branch());
            if (!seen.add(part) || isKept(branch, new int[] {part.partition()})) {
                continue;
            }
            if (branch.source().kind().reads()) {
                return false;
            }
            branch.source().parts().of(part.partition()).forEach(missing::push);
        }
        return true;
    }

    private boolean isKept(Pipeline.Branch branch, int[] partitions) {
        return branch.steps().stream()
                .anyMatch(step -> step.kind() == StepKind.KEEP
                        && kept.areThere(step.keeping().dataset(), partitions));
    }
}
