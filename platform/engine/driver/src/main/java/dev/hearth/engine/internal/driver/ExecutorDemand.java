package dev.hearth.engine.internal.driver;

import dev.hearth.spi.cluster.Demand;

/** How many executors a driver wants. Called on its loop. */
@FunctionalInterface
interface ExecutorDemand {
    Demand demand();

    /** Something may have changed that this depends on. */
    default void settled() {}
}
