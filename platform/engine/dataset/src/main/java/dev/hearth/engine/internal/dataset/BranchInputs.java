package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inputs of the tasks of a stage with several branches (datasets joined by narrow dependencies). The input of a task
 * consists of the driver's inputs for all partitions of branches that the task reads. Walks with an explicit stack,
 * because branches can be deep. Immutable.
 */
final class BranchInputs implements PartitionInputs {
    private final NarrowDependencies root;
    private final List<NarrowDependencies> branches;
    private final Map<Integer, Lineage.Root> given; // by branch

    BranchInputs(NarrowDependencies root, List<NarrowDependencies> branches, Map<Integer, Lineage.Root> given) {
        this.root = root;
        this.branches = List.copyOf(branches);
        this.given = Map.copyOf(given);
    }

    @Override
    public TaskInput input(int partition) {
        List<TaskInput.BranchInput> leaves = new ArrayList<>();
        for (NarrowDependencies.BranchPartition part : leaves(partition)) {
            leaves.add(new TaskInput.BranchInput(
                    part.branch(), part.partition(), from(part).inputs().input(part.partition())));
        }
        return leaves.isEmpty() ? TaskInput.NONE : new TaskInput.PerBranch(leaves);
    }

    private Lineage.Root from(NarrowDependencies.BranchPartition part) {
        Lineage.Root found = given.get(part.branch());
        if (found == null) {
            throw new IllegalStateException("branch " + part.branch() + ": nothing is given for it");
        }
        return found;
    }

    /**
     * The partitions of branches from which {@code partition} of the stage is computed and for which the driver sends
     * input.
     */
    private Set<NarrowDependencies.BranchPartition> leaves(int partition) {
        Set<NarrowDependencies.BranchPartition> leaves = new LinkedHashSet<>();
        Set<NarrowDependencies.BranchPartition> seen = new LinkedHashSet<>();
        ArrayDeque<NarrowDependencies.BranchPartition> stack = new ArrayDeque<>(root.of(partition));
        while (!stack.isEmpty()) {
            NarrowDependencies.BranchPartition part = stack.pop();
            if (!seen.add(part)) {
                continue;
            }
            if (given.containsKey(part.branch())) {
                leaves.add(part);
            }
            branches.get(part.branch()).of(part.partition()).forEach(stack::push);
        }
        return leaves;
    }
}
