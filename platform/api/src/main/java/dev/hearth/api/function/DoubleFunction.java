package dev.hearth.api.function;

import java.io.Serializable;

/** Makes a number of an element. Runs inside tasks, on executors. */
@FunctionalInterface
public interface DoubleFunction<T> extends Serializable {
    double apply(T element) throws Exception;
}
