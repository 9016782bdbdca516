package dev.hearth.api.function;

import java.io.Serializable;

/** Adds an element to what was gathered so far, which it may change and return. Runs on executors. */
@FunctionalInterface
public interface AddFunction<A, T> extends Serializable {
    A apply(A gathered, T element) throws Exception;
}
