package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Iterator;

/** Turns one element into any number of elements. Runs inside tasks, on executors. */
@FunctionalInterface
public interface FlatMapFunction<T, R> extends Serializable {
    Iterator<? extends R> apply(T element) throws Exception;
}
