package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.spi.id.ExecutorId;
import java.util.concurrent.CompletionStage;

/** Migrates the data of a decommissioned executor that runs no task any more. Called on the driver's loop. */
@FunctionalInterface
public interface DataMigrator {
    /**
     * Copies cached blocks and map outputs of the executor to others. Completes when no more of them will migrate; a
     * failure means that the rest is lost. Must have a bound of its own, because the executor stays until then.
     */
    CompletionStage<Void> migrate(ExecutorId executor);
}
