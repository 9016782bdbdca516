package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Iterator;

/** Turns the elements of one partition into others, in one call per task. Runs on executors. */
@FunctionalInterface
public interface PartitionFunction<T, R> extends Serializable {
    Iterator<? extends R> apply(Iterator<T> elements) throws Exception;
}
