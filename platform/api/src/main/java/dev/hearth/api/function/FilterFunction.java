package dev.hearth.api.function;

import java.io.Serializable;

/** Predicate that decides whether to keep an element. Runs inside tasks, on executors. */
@FunctionalInterface
public interface FilterFunction<T> extends Serializable {
    boolean test(T element) throws Exception;
}
