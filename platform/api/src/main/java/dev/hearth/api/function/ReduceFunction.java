package dev.hearth.api.function;

import java.io.Serializable;

/** Joins two elements into one. Must be associative and commutative: partitions arrive in any order. */
@FunctionalInterface
public interface ReduceFunction<T> extends Serializable {
    T apply(T left, T right) throws Exception;
}
