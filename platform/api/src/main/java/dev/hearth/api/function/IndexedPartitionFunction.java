package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Iterator;

/** Turns the elements of one partition into others; also takes the partition's number. Runs on executors. */
@FunctionalInterface
public interface IndexedPartitionFunction<T, R> extends Serializable {
    Iterator<? extends R> apply(int partition, Iterator<T> elements) throws Exception;
}
