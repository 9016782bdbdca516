package dev.hearth.api.function;

import java.util.List;

/** Estimates a job's result from the results of some of its tasks. Runs on the driver. */
@FunctionalInterface
public interface EstimateFunction<S, R> {
    /**
     * Estimates from {@code found}, the task results so far, in no particular order, of a job with {@code tasks} tasks.
     */
    R apply(List<S> found, int tasks);
}
