package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.spi.id.ExecutorId;
import java.util.concurrent.CompletionStage;

/** Migrates the data of a decommissioned executor that runs no task any more. Called on the driver's loop. */
@FunctionalInterface
public interface DataMigrator {
    /**
     * Copies cached blocks and map outputs of the executor to others. Completes when nothing more will migrate; a
     * failure means that the data not yet copied is lost. Must complete within a bounded time, because the executor is
     * stopped only then.
     */
    CompletionStage<Void> migrate(ExecutorId executor);
}
