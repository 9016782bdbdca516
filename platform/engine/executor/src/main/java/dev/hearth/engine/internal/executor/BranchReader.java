package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Opens partitions of the branches of a stage (each computes one dataset), from which the pipeline of one attempt
 * reads. Owned by the attempt's thread.
 */
final class BranchReader {
    private final TaskAttempt attempt;
    private final PreparedBranch[] branches;
    private final TaskInput input;
    private final List<CachedSteps> cached = new ArrayList<>();

    BranchReader(TaskAttempt attempt, PreparedBranch[] branches, TaskInput input) {
        this.attempt = attempt;
        this.branches = branches;
        this.input = input;
    }

    TaskAttempt attempt() {
        return attempt;
    }

    /**
     * Opens the partition of a branch that {@code part} names, and returns its elements. Each call computes the
     * elements again, beginning after the last step whose block is cached.
     */
    Iterator<?> open(NarrowDependencies.BranchPartition part) throws Exception {
        return branches[part.branch()].open(this, part.partition(), input(part));
    }

    /** Registers the persist steps of a branch, so that {@link #complete} completes their blocks. */
    void add(CachedSteps steps) {
        cached.add(steps);
    }

    /**
     * Completes the blocks that this attempt caches, of all branches that it has read. Called after the sink has
     * finished.
     */
    void complete() {
        for (int i = 0; i < cached.size(); i++) {
            // a loop by index, because completing one entry reads from later entries and may add entries
            cached.get(i).complete();
        }
    }

    private TaskInput input(NarrowDependencies.BranchPartition part) {
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
