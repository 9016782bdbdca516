package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Iterator;

/** Turns the elements of one partition into the elements of a new partition. Runs on executors. */
@FunctionalInterface
public interface PartitionFunction<T, R> extends Serializable {
    Iterator<? extends R> apply(Iterator<T> elements) throws Exception;
}
