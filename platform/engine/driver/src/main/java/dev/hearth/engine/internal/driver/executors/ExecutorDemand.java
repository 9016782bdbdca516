package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;

/** Computes the executors that a driver requests. Called on the driver's event loop. */
@FunctionalInterface
public interface ExecutorDemand {
    Demand demand();

    /** The number of executors alone. */
    default int executors() {
        return demand().executors();
    }

    /** Notifies this object after each round of scheduling, because the result of {@link #demand} may have changed. */
    default void settled() {}
}
