package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import java.util.List;

/**
 * Elements that the driver sends with a task: shared objects in the driver's process, or bytes to deserialise for each
 * attempt.
 */
public sealed interface TaskInput {
    TaskInput NONE = new Shared(new Object[0]);

    /** Immutable elements that all attempts share. The array is never modified. */
    @SuppressWarnings("ArrayRecordComponent")
    record Shared(Object[] elements) implements TaskInput {}

    record Encoded(Bytes bytes) implements TaskInput {}

    /**
     * Inputs by branch partition, for a stage whose root branch reads other branches. Partitions without input are left
     * out.
     */
    record PerBranch(List<BranchInput> leaves) implements TaskInput {
        public PerBranch {
            leaves = List.copyOf(leaves);
        }
    }

    /** Input of one partition of one branch of the pipeline. */
    record BranchInput(int branch, int partition, TaskInput input) {}
}
