package dev.hearth.api;

import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A dataset of keys and values. Keys are compared by {@code equals} and {@code hashCode}, which must not change and must be the
 * same for copies: a class that has none of its own brings nothing together, and arrays are refused.
 */
public interface PairRdd<K, V> extends Rdd<Pair<K, V>> {
    /** Joins the values of each key; values of one partition are joined before they travel. */
    PairRdd<K, V> reduceByKey(ReduceFunction<V> function, int partitions);

    default PairRdd<K, V> reduceByKey(ReduceFunction<V> function) {
        return reduceByKey(function, partitions());
    }

    /** All values of each key, in no particular order. */
    PairRdd<K, List<V>> groupByKey(int partitions);

    default PairRdd<K, List<V>> groupByKey() {
        return groupByKey(partitions());
    }

    /** The values of each key made into one of another kind; those of one partition before they travel. */
    <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, int partitions);

    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner) {
        return combineByKey(combiner, partitions());
    }

    /** The same pairs, each in the partition that {@code partitioner} gives its key. */
    PairRdd<K, V> partitionBy(Partitioner partitioner);

    /**
     * By the own order of the keys, which must be {@link Comparable}; null first, or last when descending. Partitions follow one
     * another in that order and hold about equally many pairs, as far as equal keys, which stay together, allow.
     * <p>For that the first action draws a sample by a job of its own, which computes this dataset once, and waits for it on the
     * calling thread, actions that do not wait too; with one partition there is no need. Persist what is costly to compute.
     */
    PairRdd<K, V> sortByKey(boolean ascending, int partitions);

    default PairRdd<K, V> sortByKey(boolean ascending) {
        return sortByKey(ascending, partitions());
    }

    default PairRdd<K, V> sortByKey() {
        return sortByKey(true);
    }

    /**
     * As {@link #sortByKey(boolean, int)}, by an order that must be {@link java.io.Serializable}; it is never asked about null. One
     * that contradicts itself gives some order, and all pairs.
     */
    PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending, int partitions);

    /** A pair for each value here and value there that have the same key. */
    <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other, int partitions);

    default <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other) {
        return join(other, Math.max(partitions(), other.partitions()));
    }

    /** For each key of either, all values here and all values there. */
    <W> PairRdd<K, Pair<List<V>, List<W>>> cogroup(PairRdd<K, W> other, int partitions);

    default <W> PairRdd<K, Pair<List<V>, List<W>>> cogroup(PairRdd<K, W> other) {
        return cogroup(other, Math.max(partitions(), other.partitions()));
    }

    /** For engines: lists by dataset as a pair of them. */
    @SuppressWarnings("unchecked") // that is what is in them
    static <K, V, W> PairRdd<K, Pair<List<V>, List<W>>> inTwo(PairRdd<K, List<?>[]> lists) {
        return lists.mapValues(found -> new Pair<>((List<V>) found[0], (List<W>) found[1]));
    }

    <W> PairRdd<K, W> mapValues(MapFunction<? super V, ? extends W> function);

    default Rdd<K> keys() {
        return map(Pair::key);
    }

    default Rdd<V> values() {
        return map(Pair::value);
    }

    /** All pairs in the memory of the caller; of several with one key the last one found stays. */
    Map<K, V> collectAsMap();

    @Override
    PairRdd<K, V> named(String name);

    @Override
    PairRdd<K, V> persist(StorageLevel level);

    @Override
    PairRdd<K, V> unpersist(boolean blocking);

    @Override
    default PairRdd<K, V> cache() {
        return persist(StorageLevel.MEMORY_ONLY);
    }
}
