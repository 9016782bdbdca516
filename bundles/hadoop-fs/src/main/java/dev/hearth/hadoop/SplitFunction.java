package dev.hearth.hadoop;

import dev.hearth.api.Pair;
import java.io.Serializable;
import java.util.Iterator;

/**
 * Computes the elements of a partition from a split of Hadoop and its records. The split is an {@code InputSplit} of
 * {@code org.apache.hadoop.mapred} or {@code org.apache.hadoop.mapreduce}, such as a {@code FileSplit}. Runs on
 * executors.
 */
@FunctionalInterface
public interface SplitFunction<K, V, R> extends Serializable {
    Iterator<? extends R> apply(Object split, Iterator<Pair<K, V>> records) throws Exception;
}
