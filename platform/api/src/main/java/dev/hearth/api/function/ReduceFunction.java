package dev.hearth.api.function;

/**
 * Merges two elements into one. It must be associative and commutative, because partitions are merged in any order.
 * It is also an {@link AddFunction} whose aggregate has the element's type.
 */
@FunctionalInterface
public interface ReduceFunction<T> extends AddFunction<T, T> {
    @Override
    T apply(T left, T right) throws Exception;
}
