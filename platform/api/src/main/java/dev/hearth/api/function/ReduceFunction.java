package dev.hearth.api.function;

/**
 * Joins two elements into one. Must be associative and commutative: partitions arrive in any order. It is also a function that adds
 * an element to a value of the same type, and may be given wherever such a one is asked for.
 */
@FunctionalInterface
public interface ReduceFunction<T> extends AddFunction<T, T> {
    @Override
    T apply(T left, T right) throws Exception;
}
