package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.spi.id.ExecutorId;
import java.util.concurrent.CompletionStage;

/**
 * Copies cached blocks and map outputs of a decommissioned executor, which runs no tasks any more, to other executors.
 * Called on the driver's event loop.
 */
@FunctionalInterface
public interface DataMigrator {
    /**
     * Copies cached blocks and map outputs of the executor to other executors. Completes when no further data can be
     * copied; after a failure, the remaining data is lost. Must complete within a bounded time, because the executor is
     * stopped only then.
     */
    CompletionStage<Void> migrate(ExecutorId executor);
}
