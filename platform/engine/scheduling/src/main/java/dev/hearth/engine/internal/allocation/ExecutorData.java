package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/** The data that would be lost with an executor. Called on the driver's loop, for idle executors only. */
public interface ExecutorData {
    /** Whether an executor holds cached blocks. */
    boolean holdsBlocks(ExecutorId executor);

    /** The use of the map outputs on an executor. */
    ShuffleUse shuffles(ExecutorId executor);

    /** The use that map outputs still have. */
    enum ShuffleUse {
        NONE,
        /** No job reads the outputs, but the application holds a dataset whose jobs may read them later. */
        READABLE,
        /** A running job reads the outputs, or will read them. */
        NEEDED
    }
}
