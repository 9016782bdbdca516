package dev.hearth.api.accumulator;

import java.io.Serializable;

/**
 * The mutable state and merge function of an accumulator, as AccumulatorV2 in Spark. Each task adds to a new instance,
 * and the driver merges the instances of successful tasks.
 * <p>The result must not depend on the order of merging. Only one thread at a time uses an instance.
 */
public interface Accumulation<T, R> extends Serializable {
    /** A new, empty instance of the same type. */
    Accumulation<T, R> fresh();

    boolean isEmpty();

    void add(T element);

    /** Merges {@code other}, of the same type, into this instance. */
    void merge(Accumulation<T, R> other);

    R value();
}
