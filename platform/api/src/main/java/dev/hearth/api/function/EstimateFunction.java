package dev.hearth.api.function;

import java.util.List;

/** Makes a result of what some of the tasks of a job found. Runs on the driver. */
@FunctionalInterface
public interface EstimateFunction<S, R> {
    /** {@code found} in no particular order, by so many of {@code tasks}. */
    R apply(List<S> found, int tasks);
}
