package dev.hearth.api.function;

import java.io.Serializable;

/** Turns one element into another. Runs inside tasks, on executors. */
@FunctionalInterface
public interface MapFunction<T, R> extends Serializable {
    R apply(T element) throws Exception;
}
