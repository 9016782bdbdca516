package dev.hearth.api;

import dev.hearth.api.function.PartitionFunction;

/** A dataset whose next stage runs all its tasks at the same time, or not at all. One failing task fails the attempt. */
public interface BarrierRdd<T> {
    /**
     * As {@link Rdd#mapPartitions}; the function may use {@link dev.hearth.api.task.BarrierTaskContext}.
     * <pre>{@code Rdd<String> places = numbers.barrier().mapPartitions(part -> BarrierTaskContext.current().allGather("here").iterator());}</pre>
     */
    <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function);
}
