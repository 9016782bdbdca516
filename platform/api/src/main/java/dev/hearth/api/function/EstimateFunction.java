package dev.hearth.api.function;

import java.util.List;

/** Estimates a job's result from the results of some of its tasks. Runs on the driver. */
@FunctionalInterface
public interface EstimateFunction<S, R> {
    /**
     * Estimates the result of a job of {@code tasks} tasks. {@code found} are the task results so far, in no particular
     * order.
     */
    R apply(List<S> found, int tasks);
}
