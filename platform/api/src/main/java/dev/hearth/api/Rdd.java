package dev.hearth.api;

import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import java.util.List;

/**
 * A dataset cut into partitions, described by how it is made. Immutable; belongs to the context that made it.
 * <p>Transformations only describe; actions run a job and wait for it. Any thread may call, but not code inside a task.
 */
public interface Rdd<T> {
    /** The number of partitions, and so of tasks in a stage over this dataset. */
    int partitions();

    <R> Rdd<R> map(MapFunction<? super T, ? extends R> function);

    Rdd<T> filter(FilterFunction<? super T> function);

    /** Joins all elements into one; refuses an empty dataset with {@link HearthException}. */
    T reduce(ReduceFunction<T> function);

    long count();

    /** All elements, in partition order, in the memory of the caller. */
    List<T> collect();
}
