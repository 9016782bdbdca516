package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import java.util.List;

/**
 * Elements that the driver sends with a task: shared objects in the driver's process, or serialised bytes, which each
 * attempt deserialises. {@code NONE} has no elements.
 */
public sealed interface TaskInput {
    TaskInput NONE = new Shared(new Object[0]);

    /** Immutable elements that all attempts of a task in the driver's process share. The array is never modified. */
    @SuppressWarnings("ArrayRecordComponent")
    record Shared(Object[] elements) implements TaskInput {}

    record Encoded(Bytes bytes) implements TaskInput {}

    /**
     * Input of a task whose stage has several branches (see {@link Pipeline}), of which the root branch reads the
     * others. {@code leaves} has one entry per partition of a branch for which the driver sends input.
     */
    record PerBranch(List<BranchInput> leaves) implements TaskInput {
        public PerBranch {
            leaves = List.copyOf(leaves);
        }
    }

    /**
     * Input that the driver sends for one partition of one branch. Part of the input of a task whose pipeline has
     * several branches.
     */
    record BranchInput(int branch, int partition, TaskInput input) {}
}
