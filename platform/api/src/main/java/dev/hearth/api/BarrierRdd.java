package dev.hearth.api;

import dev.hearth.api.function.PartitionFunction;

/**
 * A dataset whose stage is a barrier stage: all its tasks start together, and the failure of one task fails the whole
 * stage attempt.
 */
public interface BarrierRdd<T> {
    /**
     * As {@link Rdd#mapPartitions(PartitionFunction)}; the function may use
     * {@link dev.hearth.api.task.BarrierTaskContext}.
     * <pre>{@code Rdd<String> places = numbers.barrier().mapPartitions(part -> BarrierTaskContext.current().allGather("here").iterator());}</pre>
     */
    <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function);
}
