package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/**
 * Queries whether an executor stores data that would be lost if dynamic allocation released it. Called on the driver's
 * event loop, for idle executors only.
 */
public interface ExecutorData {
    /** Whether an executor caches blocks of persisted datasets. */
    boolean holdsBlocks(ExecutorId executor);

    /** Whether any running job needs the map outputs on an executor, or later jobs may read them. */
    ShuffleUse shuffles(ExecutorId executor);

    /** The use of the map outputs on one executor: whether running jobs need them, or later jobs may read them. */
    enum ShuffleUse {
        NONE,
        /**
         * No running job needs the outputs, but the application still refers to a dataset that reads them, so later
         * jobs may need them.
         */
        READABLE,
        /** The executor stores map outputs that a running job reads or will read. */
        NEEDED
    }
}
