package dev.hearth.engine.internal.driver;

import dev.hearth.spi.id.ExecutorId;
import java.util.concurrent.CompletionStage;

/** What is saved of an executor that leaves, once it runs nothing any more. Called on the driver's loop. */
@FunctionalInterface
interface DataMigrator {
    /**
     * Moves to other executors what lies on this one and is of use, and completes when as much has moved as will; a failure
     * means that the rest is lost. Must have a bound of its own: the executor stays until then.
     */
    CompletionStage<Void> empty(ExecutorId executor);
}
