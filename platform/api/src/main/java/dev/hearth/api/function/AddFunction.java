package dev.hearth.api.function;

import java.io.Serializable;

/** Adds an element to an aggregate, which it may modify and return. Runs on executors. */
@FunctionalInterface
public interface AddFunction<A, T> extends Serializable {
    A apply(A aggregate, T element) throws Exception;
}
