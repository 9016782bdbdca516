package dev.hearth.api;

import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
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
}
