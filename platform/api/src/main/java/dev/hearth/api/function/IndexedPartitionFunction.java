package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Iterator;

/** Turns the number and the elements of one partition into the elements of a new partition. Runs on executors. */
@FunctionalInterface
public interface IndexedPartitionFunction<T, R> extends Serializable {
    Iterator<? extends R> apply(int partition, Iterator<T> elements) throws Exception;
}
