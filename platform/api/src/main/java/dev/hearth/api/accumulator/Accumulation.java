package dev.hearth.api.accumulator;

import java.io.Serializable;

/**
 * How a kind of accumulator gathers: a task fills a fresh one, the driver merges those of successful tasks.
 * <p>Merging must not depend on order. One instance is used by one thread at a time.
 */
public interface Accumulation<T, R> extends Serializable {
    /** An empty one of the same kind. */
    Accumulation<T, R> fresh();

    boolean isEmpty();

    void add(T element);

    /** Takes over what {@code other}, of the same kind, has gathered. */
    void merge(Accumulation<T, R> other);

    R value();
}
