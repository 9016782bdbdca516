package dev.hearth.api.function;

import java.io.Serializable;
import java.util.function.Consumer;

/** Writes an element as lines of a process's input. Runs on executors. */
@FunctionalInterface
public interface LinesFunction<T> extends Serializable {
    void write(T element, Consumer<String> lines) throws Exception;
}
