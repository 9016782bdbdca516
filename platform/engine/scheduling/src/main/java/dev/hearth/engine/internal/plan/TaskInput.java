package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import java.util.List;

/**
 * Elements that the driver sends with a task: shared objects in the driver's process, or bytes to deserialise for each
 * attempt.
 */
public sealed interface TaskInput {
    TaskInput NONE = new Shared(new Object[0]);

    /** Immutable elements that all attempts share. The array is never written to. */
    @SuppressWarnings("ArrayRecordComponent")
    record Shared(Object[] elements) implements TaskInput {}

    record Encoded(Bytes bytes) implements TaskInput {}

    /** Inputs of those branch partitions that need one, for a stage whose root branch reads other branches. */
    record PerBranch(List<BranchInput> leaves) implements TaskInput {
        public PerBranch {
            leaves = List.copyOf(leaves);
        }
    }

    /** Input of one partition of one branch. */
    record BranchInput(int branch, int partition, TaskInput input) {}
}
