package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import java.util.Map;

/** Computes the executors that a driver requests. Called on the driver's event loop. */
@FunctionalInterface
public interface ExecutorDemand {
    /** The demand for executors of each profile in use, the default one first. */
    Map<ProfileId, Demand> demands();

    /** The number of executors of all profiles. */
    default int executors() {
        long sum = demands().values().stream().mapToLong(Demand::executors).sum();
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    /** Notifies this object after each round of scheduling, because the result of {@link #demands} may have changed. */
    default void settled() {}
}
