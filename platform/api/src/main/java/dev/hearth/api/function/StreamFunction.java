package dev.hearth.api.function;

import java.io.Serializable;
import java.util.stream.Stream;

/** Turns one element into a stream of elements, which the caller closes after use. Runs inside tasks, on executors. */
@FunctionalInterface
public interface StreamFunction<T, R> extends Serializable {
    Stream<? extends R> apply(T element) throws Exception;
}
