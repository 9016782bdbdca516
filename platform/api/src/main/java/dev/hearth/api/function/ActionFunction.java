package dev.hearth.api.function;

import java.io.Serializable;

/** Does something with an element, or with the elements of a partition, and gives nothing back. Runs on executors. */
@FunctionalInterface
public interface ActionFunction<T> extends Serializable {
    void accept(T element) throws Exception;
}
