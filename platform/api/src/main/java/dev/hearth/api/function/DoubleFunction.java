package dev.hearth.api.function;

import java.io.Serializable;

/** Turns an element into a number. Runs inside tasks, on executors. */
@FunctionalInterface
public interface DoubleFunction<T> extends Serializable {
    double apply(T element) throws Exception;
}
