package dev.hearth.api.function;

/**
 * Merges two elements into one. It must be associative and commutative, because partitions are merged in any order. It
 * extends {@link AddFunction}: the aggregate is of the same type as the elements.
 */
@FunctionalInterface
public interface ReduceFunction<T> extends AddFunction<T, T> {
    @Override
    T apply(T left, T right) throws Exception;
}
