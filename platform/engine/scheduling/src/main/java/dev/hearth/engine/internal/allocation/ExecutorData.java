package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/**
 * Queries for the data that would be lost with an executor. Called on the driver's event loop, for idle executors only.
 */
public interface ExecutorData {
    /** Whether an executor holds cached blocks. */
    boolean holdsBlocks(ExecutorId executor);

    /** Whether any job still needs the map outputs on an executor. */
    ShuffleUse shuffles(ExecutorId executor);

    /** Whether any job still needs the map outputs on an executor. */
    enum ShuffleUse {
        NONE,
        /** No running job needs the outputs, but the application holds a dataset whose later jobs may read them. */
        READABLE,
        /** A running job reads the outputs or will read them. */
        NEEDED
    }
}
