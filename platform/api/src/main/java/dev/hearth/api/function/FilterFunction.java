package dev.hearth.api.function;

import java.io.Serializable;

/** Tells whether an element stays. Runs inside tasks, on executors. */
@FunctionalInterface
public interface FilterFunction<T> extends Serializable {
    boolean test(T element) throws Exception;
}
