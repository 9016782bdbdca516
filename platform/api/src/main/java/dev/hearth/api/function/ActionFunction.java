package dev.hearth.api.function;

import java.io.Serializable;

/** Consumes an element, or the iterator over a partition, and returns nothing. Runs on executors. */
@FunctionalInterface
public interface ActionFunction<T> extends Serializable {
    void accept(T element) throws Exception;
}
