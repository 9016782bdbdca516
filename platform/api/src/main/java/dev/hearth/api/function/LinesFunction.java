package dev.hearth.api.function;

import java.io.Serializable;
import java.util.function.Consumer;

/** Passes an element to {@code lines} as input lines of a process. Runs on executors. */
@FunctionalInterface
public interface LinesFunction<T> extends Serializable {
    void write(T element, Consumer<String> lines) throws Exception;
}
