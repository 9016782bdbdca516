package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/** The data that would be lost with an executor. Asked on the driver's loop, for idle executors alone. */
public interface ExecutorData {
    /** Whether an executor holds cached blocks. */
    boolean holdsBlocks(ExecutorId executor);

    /** The use of the map outputs on an executor. */
    ShuffleUse shuffles(ExecutorId executor);

    /** The use that map outputs still have. */
    enum ShuffleUse {
        NONE,
        /** No job reads them, but the application holds a dataset that can. */
        READABLE,
        /** A running job reads them, or will read them. */
        NEEDED
    }
}
