package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;

/** The number of executors that a driver requests. Called on the driver's loop. */
@FunctionalInterface
public interface ExecutorDemand {
    Demand demand();

    /** Called after each round of scheduling, which may have changed the inputs of {@link #demand}. */
    default void settled() {}
}
