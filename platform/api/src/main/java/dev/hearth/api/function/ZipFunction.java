package dev.hearth.api.function;

import java.io.Serializable;
import java.util.Iterator;

/**
 * Turns the elements of two partitions, one of each dataset and both with the same partition number, into the elements
 * of a new partition. Runs on executors.
 */
@FunctionalInterface
public interface ZipFunction<A, B, R> extends Serializable {
    Iterator<? extends R> apply(Iterator<A> left, Iterator<B> right) throws Exception;
}
