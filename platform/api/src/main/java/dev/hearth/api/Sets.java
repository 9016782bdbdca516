package dev.hearth.api;

import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.PairFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Datasets as sets: operations that bring equal elements together. */
final class Sets {
    private Sets() {}

    static <T> Rdd<T> distinct(Rdd<T> dataset, Partitioner partitioner) {
        return marked(dataset).reduceByKey(new First<>(), partitioner).keys();
    }

    /** Equal pairs are together already. */
    static <K, V> Rdd<Pair<K, V>> distinctHere(Rdd<Pair<K, V>> dataset) {
        return dataset.mapPartitions(new Once<>(), true);
    }

    static <T> Rdd<T> intersection(Rdd<T> left, Rdd<T> right, Partitioner partitioner) {
        return marked(left)
                .reduceByKey(new First<>(), partitioner)
                .cogroup(marked(right).reduceByKey(new First<>(), partitioner), partitioner)
                .flatMap(new InBoth<>());
    }

    static <T> Rdd<T> subtract(Rdd<T> left, Rdd<T> right, Partitioner partitioner) {
        return marked(left).subtractByKey(marked(right), partitioner).keys();
    }

    static <T> Rdd<T> spread(Rdd<T> dataset, int partitions) {
        return dataset.context()
                .pairs(dataset.mapPartitionsWithIndex(new Spreading<T>(partitions)))
                .partitionBy(new Spreading.ByNumber(partitions))
                .values();
    }

    private static <T> PairRdd<T, Integer> marked(Rdd<T> dataset) {
        return dataset.mapToPair(new Marked<>());
    }

    private record Marked<T>() implements PairFunction<T, T, Integer> {
        @Override
        public Pair<T, Integer> apply(T element) {
            return new Pair<>(element, 1);
        }
    }

    private record First<T>() implements ReduceFunction<T> {
        @Override
        public T apply(T left, T right) {
            return left;
        }
    }

    private record InBoth<T>() implements FlatMapFunction<Pair<T, Pair<List<Integer>, List<Integer>>>, T> {
        @Override
        public Iterator<T> apply(Pair<T, Pair<List<Integer>, List<Integer>>> found) {
            return found.value().key().isEmpty() || found.value().value().isEmpty()
                    ? Collections.emptyIterator()
                    : Collections.singletonList(found.key()).iterator();
        }
    }

    private record Once<T>() implements PartitionFunction<T, T> {
        @Override
        public Iterator<T> apply(Iterator<T> elements) {
            Set<T> seen = new HashSet<>();
            return new FilteredElements<>(elements, seen::add);
        }
    }
}
