package dev.hearth.engine.internal.plan;

import dev.hearth.spi.net.Bytes;
import java.util.List;

/** The elements a task is given by the driver: none, values that cannot change and may be shared, or bytes to be read anew. */
public sealed interface TaskInput {
    TaskInput NONE = new Shared(new Object[0]);

    /** Never changed by anybody: neither the array nor, being of unchangeable types, its elements. */
    @SuppressWarnings("ArrayRecordComponent")
    record Shared(Object[] elements) implements TaskInput {}

    record Encoded(Bytes bytes) implements TaskInput {}

    /** Of a stage whose elements come from branches: what each of these is given that needs any. */
    record PerBranch(List<BranchInput> leaves) implements TaskInput {
        public PerBranch {
            leaves = List.copyOf(leaves);
        }
    }

    /** What one partition of one branch is given. */
    record BranchInput(int branch, int partition, TaskInput input) {}
}
