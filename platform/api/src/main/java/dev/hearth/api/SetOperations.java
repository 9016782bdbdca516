package dev.hearth.api;

import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.PairFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Implements distinct and the other set operations on datasets; a shuffle brings equal elements together. Stateless.
 */
final class SetOperations {
    private SetOperations() {}

    static <T> Rdd<T> distinct(Rdd<T> dataset, Partitioner partitioner) {
        return marked(dataset).reduceByKey(new First<>(), partitioner).keys();
    }

    /**
     * Removes duplicate pairs without a shuffle: {@code partitioner} has partitioned the dataset, so equal pairs share
     * a partition.
     */
    static <K, V> Rdd<Pair<K, V>> distinctWithinPartitions(PairRdd<K, V> dataset, Partitioner partitioner) {
        PairRdd<Pair<K, V>, Integer> marked =
                dataset.context().pairs(dataset.mapPartitions(new MarkedPartition<Pair<K, V>>(), true));
        return marked.reduceByKey(new First<>(), partitioner).mapPartitions(new UnmarkedPartition<Pair<K, V>>(), true);
    }

    /**
     * Counts how often each element occurs. Each partition is counted first, as far as memory allows, to shuffle less.
     */
    static <T> Map<T, Long> counts(Rdd<T> dataset) {
        return dataset.mapToPair(new Counted<>())
                .reduceByKey(new Sum(), DefaultPartitioning.partitions(dataset))
                .collectAsMap();
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

    static <T> Rdd<T> repartition(Rdd<T> dataset, int partitions) {
        return dataset.context()
                .pairs(dataset.mapPartitionsWithIndex(new RoundRobinFunction<T>(partitions)))
                .partitionBy(new RoundRobinFunction.PartitionNumberPartitioner(partitions))
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

    private record MarkedPartition<T>() implements PartitionFunction<T, Pair<T, Integer>> {
        @Override
        public Iterator<Pair<T, Integer>> apply(Iterator<T> elements) {
            return new MappedElements<>(elements, element -> new Pair<>(element, 1));
        }
    }

    private record UnmarkedPartition<T>() implements PartitionFunction<Pair<T, Integer>, T> {
        @Override
        public Iterator<T> apply(Iterator<Pair<T, Integer>> elements) {
            return new MappedElements<>(elements, Pair::key);
        }
    }

    private record Counted<T>() implements PairFunction<T, T, Long> {
        @Override
        public Pair<T, Long> apply(T element) {
            return new Pair<>(element, 1L);
        }
    }

    private record Sum() implements ReduceFunction<Long> {
        @Override
        public Long apply(Long left, Long right) {
            return left + right;
        }
    }
}
