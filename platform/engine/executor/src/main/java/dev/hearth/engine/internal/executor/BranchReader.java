package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Opens what the branches of one attempt's stage give. Owned by the attempt's thread. */
final class BranchReader {
    private final TaskAttempt attempt;
    private final PreparedBranch[] branches;
    private final TaskInput input;
    private final List<CachedSteps> kept = new ArrayList<>();

    BranchReader(TaskAttempt attempt, PreparedBranch[] branches, TaskInput input) {
        this.attempt = attempt;
        this.branches = branches;
        this.input = input;
    }

    TaskAttempt attempt() {
        return attempt;
    }

    /** The elements of a partition of a branch; every call computes them anew. */
    Iterator<?> open(NarrowDependencies.BranchPartition part) throws Exception {
        return branches[part.branch()].open(this, part.partition(), given(part));
    }

    /** What is kept of these steps becomes whole in the end. */
    void keeps(CachedSteps steps) {
        kept.add(steps);
    }

    /** The sink has all it wants. */
    void complete() {
        for (int i = 0; i < kept.size(); i++) { // the first opened takes from those after it, and may open more
            kept.get(i).complete();
        }
    }

    private TaskInput given(NarrowDependencies.BranchPartition part) {
        if (input instanceof TaskInput.PerBranch several) {
            for (TaskInput.BranchInput leaf : several.leaves()) {
                if (leaf.branch() == part.branch() && leaf.partition() == part.partition()) {
                    return leaf.input();
                }
            }
        }
        return TaskInput.NONE;
    }
}
