package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.Parts;
import dev.hearth.engine.internal.task.TaskInput;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Opens what the branches of one attempt's stage give. Owned by the attempt's thread. */
final class OpenParts {
    private final TaskAttempt attempt;
    private final PreparedBranch[] branches;
    private final TaskInput input;
    private final List<KeptSteps> kept = new ArrayList<>();

    OpenParts(TaskAttempt attempt, PreparedBranch[] branches, TaskInput input) {
        this.attempt = attempt;
        this.branches = branches;
        this.input = input;
    }

    TaskAttempt attempt() {
        return attempt;
    }

    /** The elements of a partition of a branch; every call computes them anew. */
    Iterator<?> open(Parts.Part part) throws Exception {
        return branches[part.branch()].open(this, part.partition(), given(part));
    }

    /** What is kept of these steps becomes whole in the end. */
    void keeps(KeptSteps steps) {
        kept.add(steps);
    }

    /** The sink has all it wants. */
    void complete() {
        for (int i = 0; i < kept.size(); i++) { // the first opened takes from those after it, and may open more
            kept.get(i).complete();
        }
    }

    private TaskInput given(Parts.Part part) {
        if (input instanceof TaskInput.Several several) {
            for (TaskInput.Leaf leaf : several.leaves()) {
                if (leaf.branch() == part.branch() && leaf.partition() == part.partition()) {
                    return leaf.input();
                }
            }
        }
        return TaskInput.NONE;
    }
}
