package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Parts;
import dev.hearth.engine.internal.task.TaskInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the tasks of a stage with branches are given: what all those partitions are that each is made of. Immutable; by a stack of
 * its own, for branches are deep.
 */
final class BranchInputs implements PartitionInputs {
    private final Parts root;
    private final List<Parts> branches;
    private final Map<Integer, Lineage.Given> given; // by branch

    BranchInputs(Parts root, List<Parts> branches, Map<Integer, Lineage.Given> given) {
        this.root = root;
        this.branches = List.copyOf(branches);
        this.given = Map.copyOf(given);
    }

    @Override
    public TaskInput input(int partition) {
        List<TaskInput.Leaf> leaves = new ArrayList<>();
        for (Parts.Part part : leaves(partition)) {
            leaves.add(new TaskInput.Leaf(
                    part.branch(), part.partition(), from(part).inputs().input(part.partition())));
        }
        return leaves.isEmpty() ? TaskInput.NONE : new TaskInput.Several(leaves);
    }

    private Lineage.Given from(Parts.Part part) {
        Lineage.Given found = given.get(part.branch());
        if (found == null) {
            throw new IllegalStateException("branch " + part.branch() + ": nothing is given for it");
        }
        return found;
    }

    /** The partitions that the driver gives elements or files for. */
    private Set<Parts.Part> leaves(int partition) {
        Set<Parts.Part> leaves = new LinkedHashSet<>();
        Set<Parts.Part> seen = new LinkedHashSet<>();
        ArrayDeque<Parts.Part> stack = new ArrayDeque<>(root.of(partition));
        while (!stack.isEmpty()) {
            Parts.Part part = stack.pop();
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
