package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.id.ExecutorId;

/** What would be lost with an executor. Asked on the loop of whoever decides, of idle executors alone. */
public interface ExecutorData {
    /** Whether it keeps blocks of kept datasets. */
    boolean keepsBlocks(ExecutorId executor);

    ShuffleUse shuffles(ExecutorId executor);

    /** What the outputs on an executor are still good for. */
    enum ShuffleUse {
        NONE,
        /** No job reads them, but the program still can. */
        READABLE,
        /** A job that runs reads them, or will. */
        NEEDED
    }
}
