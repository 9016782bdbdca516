package dev.hearth.api.function;

import java.io.Serializable;
import java.util.function.Consumer;

/**
 * Turns an element into lines for the input of the process of a pipe, and passes each line to {@code lines}. Runs on
 * executors.
 */
@FunctionalInterface
public interface LinesFunction<T> extends Serializable {
    void write(T element, Consumer<String> lines) throws Exception;
}
