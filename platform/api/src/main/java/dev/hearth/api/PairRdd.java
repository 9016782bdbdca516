package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.OrderFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.resource.ResourceProfile;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A dataset of key-value pairs. Keys are compared by {@code equals} and {@code hashCode}, which must give the same
 * results for deserialised copies in every process. Keys of a class that inherits both methods from {@link Object} are
 * never grouped; arrays are refused as keys.
 * <p>Operations without a {@link Partitioner} parameter use {@link Partitioner#defaultPartitioner}. A dataset that
 * already has the partitioner of an operation is not shuffled again.
 */
public interface PairRdd<K, V> extends Rdd<Pair<K, V>>, PairJoins<K, V>, PairActions<K, V> {
    /**
     * Merges the values of each key; values of one partition are merged before the shuffle.
     * <pre>{@code counts.reduceByKey(Integer::sum);}</pre>
     */
    default PairRdd<K, V> reduceByKey(ReduceFunction<V> function) {
        return reduceByKey(function, DefaultPartitioning.partitioner(this));
    }

    /**
     * As {@link #reduceByKey(ReduceFunction)}, with {@code partitions} partitions.
     * <pre>{@code counts.reduceByKey(Integer::sum, 4);}</pre>
     */
    default PairRdd<K, V> reduceByKey(ReduceFunction<V> function, int partitions) {
        return reduceByKey(function, ArgumentChecks.hash("reduceByKey", partitions));
    }

    /**
     * As {@link #reduceByKey(ReduceFunction)}, with {@code partitioner}.
     * <pre>{@code counts.reduceByKey(Integer::sum, new HashPartitioner(4));}</pre>
     */
    PairRdd<K, V> reduceByKey(ReduceFunction<V> function, Partitioner partitioner);

    /**
     * As {@link #reduceByKey(ReduceFunction)}, starting from the neutral value {@code zero}.
     * <pre>{@code counts.foldByKey(0, Integer::sum);}</pre>
     */
    default PairRdd<K, V> foldByKey(V zero, ReduceFunction<V> function) {
        return foldByKey(zero, function, DefaultPartitioning.partitioner(this));
    }

    /**
     * As {@link #foldByKey(Object, ReduceFunction)}, with {@code partitions} partitions and the argument order of
     * {@link #aggregateByKey}.
     * <pre>{@code counts.foldByKey(0, 4, Integer::sum);}</pre>
     */
    default PairRdd<K, V> foldByKey(V zero, int partitions, ReduceFunction<V> function) {
        return foldByKey(zero, function, partitions);
    }

    /**
     * As {@link #foldByKey(Object, ReduceFunction)}, with {@code partitioner}.
     * <pre>{@code counts.foldByKey(0, new HashPartitioner(4), Integer::sum);}</pre>
     */
    default PairRdd<K, V> foldByKey(V zero, Partitioner partitioner, ReduceFunction<V> function) {
        return foldByKey(zero, function, partitioner);
    }

    /**
     * As {@link #foldByKey(Object, ReduceFunction)}, with {@code partitions} partitions.
     * <pre>{@code counts.foldByKey(0, Integer::sum, 4);}</pre>
     */
    default PairRdd<K, V> foldByKey(V zero, ReduceFunction<V> function, int partitions) {
        return foldByKey(zero, function, ArgumentChecks.hash("foldByKey", partitions));
    }

    /**
     * As {@link #foldByKey(Object, ReduceFunction)}, with {@code partitioner}.
     * <pre>{@code counts.foldByKey(0, Integer::sum, new HashPartitioner(4));}</pre>
     */
    default PairRdd<K, V> foldByKey(V zero, ReduceFunction<V> function, Partitioner partitioner) {
        return combineByKey(new ZeroValueCombiner<V, V>(zero, function, function), partitioner);
    }

    /**
     * Groups all values of each key into a list, in no particular order.
     * <pre>{@code PairRdd<String, List<Integer>> groups = counts.groupByKey();}</pre>
     */
    default PairRdd<K, List<V>> groupByKey() {
        return groupByKey(DefaultPartitioning.partitioner(this));
    }

    /** As {@link #groupByKey()}, with {@code partitions} partitions. <pre>{@code counts.groupByKey(4);}</pre> */
    default PairRdd<K, List<V>> groupByKey(int partitions) {
        return groupByKey(ArgumentChecks.hash("groupByKey", partitions));
    }

    /**
     * As {@link #groupByKey()}, with {@code partitioner}.
     * <pre>{@code counts.groupByKey(new HashPartitioner(4));}</pre>
     */
    PairRdd<K, List<V>> groupByKey(Partitioner partitioner);

    /**
     * Combines the values of each key into one value of type {@code C}; values of one partition are combined before the
     * shuffle.
     * <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum));}</pre>
     */
    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner) {
        return combineByKey(combiner, DefaultPartitioning.partitioner(this));
    }

    /**
     * As {@link #combineByKey(Combiner)}, with {@code partitions} partitions.
     * <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum), 4);}</pre>
     */
    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, int partitions) {
        return combineByKey(combiner, ArgumentChecks.hash("combineByKey", partitions));
    }

    /**
     * As {@link #combineByKey(Combiner)}, with {@code partitioner}.
     * <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum), new HashPartitioner(4));}</pre>
     */
    <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, Partitioner partitioner);

    /**
     * As {@link #combineByKey(Combiner, Partitioner)}; if {@code mapSideCombine} is false, values are combined only
     * after the shuffle.
     * <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum), new HashPartitioner(4), false);}</pre>
     */
    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, Partitioner partitioner, boolean mapSideCombine) {
        return (mapSideCombine ? this : partitionBy(partitioner)).combineByKey(combiner, partitioner);
    }

    /**
     * As {@link #combineByKey(Combiner)}, with the three functions of {@link Combiner#of}.
     * <pre>{@code PairRdd<String, Long> sums = counts.combineByKey(Long::valueOf, (sum, one) -> sum + one, Long::sum);}</pre>
     */
    default <C> PairRdd<K, C> combineByKey(
            MapFunction<? super V, ? extends C> create, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return combineByKey(Combiner.of(create, add, join));
    }

    /**
     * As {@link #combineByKey(MapFunction, AddFunction, ReduceFunction)}, with {@code partitions} partitions.
     * <pre>{@code PairRdd<String, Long> sums = counts.combineByKey(Long::valueOf, (sum, one) -> sum + one, Long::sum, 4);}</pre>
     */
    default <C> PairRdd<K, C> combineByKey(
            MapFunction<? super V, ? extends C> create,
            AddFunction<C, ? super V> add,
            ReduceFunction<C> join,
            int partitions) {
        return combineByKey(Combiner.of(create, add, join), partitions);
    }

    /**
     * As {@link #combineByKey(MapFunction, AddFunction, ReduceFunction)}, with {@code partitioner}.
     * <pre>{@code PairRdd<String, Long> sums = counts.combineByKey(Long::valueOf, (sum, one) -> sum + one, Long::sum, new HashPartitioner(4));}</pre>
     */
    default <C> PairRdd<K, C> combineByKey(
            MapFunction<? super V, ? extends C> create,
            AddFunction<C, ? super V> add,
            ReduceFunction<C> join,
            Partitioner partitioner) {
        return combineByKey(Combiner.of(create, add, join), partitioner);
    }

    /**
     * Aggregates the values of each key, starting from a copy of the neutral value {@code zero}.
     * <pre>{@code PairRdd<String, Long> sums = counts.aggregateByKey(0L, (sum, one) -> sum + one, Long::sum);}</pre>
     */
    default <C> PairRdd<K, C> aggregateByKey(C zero, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return aggregateByKey(zero, DefaultPartitioning.partitioner(this), add, join);
    }

    /**
     * As {@link #aggregateByKey(Object, AddFunction, ReduceFunction)}, with {@code partitions} partitions.
     * <pre>{@code PairRdd<String, Long> sums = counts.aggregateByKey(0L, 4, (sum, one) -> sum + one, Long::sum);}</pre>
     */
    default <C> PairRdd<K, C> aggregateByKey(
            C zero, int partitions, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return aggregateByKey(zero, ArgumentChecks.hash("aggregateByKey", partitions), add, join);
    }

    /**
     * As {@link #aggregateByKey(Object, AddFunction, ReduceFunction)}, with {@code partitioner}.
     * <pre>{@code PairRdd<String, Long> sums = counts.aggregateByKey(0L, new HashPartitioner(4), (sum, one) -> sum + one, Long::sum);}</pre>
     */
    default <C> PairRdd<K, C> aggregateByKey(
            C zero, Partitioner partitioner, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return combineByKey(new ZeroValueCombiner<V, C>(zero, add, join), partitioner);
    }

    /**
     * Estimates the number of distinct values of each key; {@code error} is the relative standard error.
     * <pre>{@code PairRdd<String, Long> about = counts.countApproxDistinctByKey(0.05);}</pre>
     */
    default PairRdd<K, Long> countApproxDistinctByKey(double error) {
        return countApproxDistinctByKey(error, DefaultPartitioning.partitioner(this));
    }

    /**
     * As {@link #countApproxDistinctByKey(double)}, with {@code partitions} partitions.
     * <pre>{@code counts.countApproxDistinctByKey(0.05, 4);}</pre>
     */
    default PairRdd<K, Long> countApproxDistinctByKey(double error, int partitions) {
        return countApproxDistinctByKey(error, ArgumentChecks.hash("countApproxDistinctByKey", partitions));
    }

    /**
     * As {@link #countApproxDistinctByKey(double)}, with {@code partitioner}.
     * <pre>{@code counts.countApproxDistinctByKey(0.05, new HashPartitioner(4));}</pre>
     */
    default PairRdd<K, Long> countApproxDistinctByKey(double error, Partitioner partitioner) {
        return combineByKey(HyperLogLog.<V>combiner("countApproxDistinctByKey", error), partitioner)
                .mapValues(HyperLogLog.estimating());
    }

    /**
     * Shuffles the pairs, each into the partition that {@code partitioner} assigns to its key.
     * <pre>{@code counts.partitionBy(new HashPartitioner(4));}</pre>
     */
    PairRdd<K, V> partitionBy(Partitioner partitioner);

    /**
     * As {@link #partitionBy}, with each partition sorted by the natural order of its keys.
     * <pre>{@code counts.repartitionAndSortWithinPartitions(new HashPartitioner(4));}</pre>
     */
    PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner);

    /**
     * As {@link #repartitionAndSortWithinPartitions(Partitioner)}, in the order of {@code order}.
     * <pre>{@code counts.repartitionAndSortWithinPartitions(new HashPartitioner(4), (left, right) -> right.compareTo(left));}</pre>
     */
    default PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner, OrderFunction<? super K> order) {
        return repartitionAndSortWithinPartitions(partitioner, (Comparator<? super K>) order);
    }

    /**
     * As {@link #repartitionAndSortWithinPartitions(Partitioner, OrderFunction)}, with a comparator, which must be
     * {@link java.io.Serializable}.
     * <pre>{@code counts.repartitionAndSortWithinPartitions(new HashPartitioner(4), Comparator.reverseOrder());}</pre>
     */
    PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner, Comparator<? super K> order);

    /**
     * Sorts the pairs by the natural order of their keys, which must be {@link Comparable}; null is the smallest key.
     * Partitions are consecutive ranges of keys with about equally many pairs; equal keys share a partition.
     * <p>If there are several partitions, the first action runs a sampling job that computes this dataset once. The
     * calling thread waits for that job, even if the action is asynchronous. Persist datasets that are expensive to
     * compute.
     * <pre>{@code counts.sortByKey();}</pre>
     */
    default PairRdd<K, V> sortByKey() {
        return sortByKey(true);
    }

    /**
     * As {@link #sortByKey()}, in descending order if {@code ascending} is false.
     * <pre>{@code counts.sortByKey(false);}</pre>
     */
    default PairRdd<K, V> sortByKey(boolean ascending) {
        return sortByKey(ascending, DefaultPartitioning.partitions(this));
    }

    /**
     * As {@link #sortByKey(boolean)}, with {@code partitions} partitions.
     * <pre>{@code counts.sortByKey(false, 2);}</pre>
     */
    PairRdd<K, V> sortByKey(boolean ascending, int partitions);

    /**
     * Sorts the pairs by comparing their keys with {@code order}, which is never called with null. If {@code order} is
     * inconsistent, the result has all pairs in an unspecified order.
     * <pre>{@code counts.sortByKey((left, right) -> left.length() - right.length());}</pre>
     */
    default PairRdd<K, V> sortByKey(OrderFunction<? super K> order) {
        return sortByKey((Comparator<? super K>) order);
    }

    /**
     * As {@link #sortByKey(OrderFunction)}, in descending order if {@code ascending} is false.
     * <pre>{@code counts.sortByKey((left, right) -> left.length() - right.length(), false);}</pre>
     */
    default PairRdd<K, V> sortByKey(OrderFunction<? super K> order, boolean ascending) {
        return sortByKey((Comparator<? super K>) order, ascending);
    }

    /**
     * As {@link #sortByKey(OrderFunction, boolean)}, with {@code partitions} partitions.
     * <pre>{@code counts.sortByKey((left, right) -> left.length() - right.length(), false, 2);}</pre>
     */
    default PairRdd<K, V> sortByKey(OrderFunction<? super K> order, boolean ascending, int partitions) {
        return sortByKey((Comparator<? super K>) order, ascending, partitions);
    }

    /**
     * As {@link #sortByKey(OrderFunction)}, with a comparator, which must be {@link java.io.Serializable}.
     * <pre>{@code counts.sortByKey(Comparator.reverseOrder());}</pre>
     */
    default PairRdd<K, V> sortByKey(Comparator<? super K> order) {
        return sortByKey(order, true);
    }

    /**
     * As {@link #sortByKey(Comparator)}, in descending order if {@code ascending} is false.
     * <pre>{@code counts.sortByKey(Comparator.reverseOrder(), false);}</pre>
     */
    default PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending) {
        return sortByKey(order, ascending, DefaultPartitioning.partitions(this));
    }

    /**
     * As {@link #sortByKey(Comparator, boolean)}, with {@code partitions} partitions.
     * <pre>{@code counts.sortByKey(Comparator.reverseOrder(), false, 2);}</pre>
     */
    PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending, int partitions);

    /**
     * Keeps the pairs whose keys are between {@code lower} and {@code upper}, inclusive. If the dataset is sorted in
     * natural order, only the partitions that can contain such keys are computed.
     * <pre>{@code counts.filterByRange("a", "c");}</pre>
     */
    default PairRdd<K, V> filterByRange(K lower, K upper) {
        return filterByRange(new NaturalOrder<K>(), lower, upper);
    }

    /**
     * As {@link #filterByRange(Object, Object)}, in the order of {@code order}.
     * <pre>{@code counts.filterByRange((left, right) -> left.length() - right.length(), "a", "ccc");}</pre>
     */
    default PairRdd<K, V> filterByRange(OrderFunction<? super K> order, K lower, K upper) {
        return filterByRange((Comparator<? super K>) order, lower, upper);
    }

    /**
     * As {@link #filterByRange(OrderFunction, Object, Object)}, with a comparator, which must be
     * {@link java.io.Serializable}.
     * <pre>{@code counts.filterByRange(Comparator.naturalOrder(), "a", "c");}</pre>
     */
    default PairRdd<K, V> filterByRange(Comparator<? super K> order, K lower, K upper) {
        return KeyRangeFilter.filter(this, order, lower, upper);
    }

    /**
     * Applies {@code function} to each value; the pairs keep their keys, and the result keeps the partitioner.
     * <pre>{@code counts.mapValues(count -> count + 1);}</pre>
     */
    <W> PairRdd<K, W> mapValues(MapFunction<? super V, ? extends W> function);

    /**
     * Turns each pair into any number of pairs with the same key, one per value that {@code function} returns. The
     * result keeps the partitioner.
     * <pre>{@code counts.flatMapValues(count -> List.of(count, count).iterator());}</pre>
     */
    <W> PairRdd<K, W> flatMapValues(FlatMapFunction<? super V, ? extends W> function);

    @Override
    default List<V> lookup(K key) {
        return LookupFunction.in(this, key);
    }

    /** The keys of all pairs, with duplicates. <pre>{@code Rdd<String> keys = counts.keys();}</pre> */
    default Rdd<K> keys() {
        return map(Pair::key);
    }

    /** The values of all pairs. <pre>{@code Rdd<Integer> values = counts.values();}</pre> */
    default Rdd<V> values() {
        return map(Pair::value);
    }

    /**
     * As {@link #sample(boolean, double)}, with a fraction per key; pairs of keys that are missing in {@code fractions}
     * are not drawn.
     * <pre>{@code counts.sampleByKey(false, Map.of("a", 0.5));}</pre>
     */
    default PairRdd<K, V> sampleByKey(boolean withReplacement, Map<K, Double> fractions) {
        return sampleByKey(
                withReplacement, fractions, ThreadLocalRandom.current().nextLong());
    }

    /**
     * As {@link #sampleByKey(boolean, Map)}, with a seed: equal seeds draw the same pairs.
     * <pre>{@code counts.sampleByKey(true, Map.of("a", 1.5), 42);}</pre>
     */
    default PairRdd<K, V> sampleByKey(boolean withReplacement, Map<K, Double> fractions, long seed) {
        return context()
                .pairs(mapPartitionsWithIndex(
                        new KeySampling<K, V>(
                                withReplacement,
                                ArgumentChecks.fractions("sampleByKey", fractions, withReplacement),
                                seed),
                        true));
    }

    /**
     * As {@link #sampleByKey(boolean, Map)}, but draws exactly the fraction of the pairs of each key, rounded up. The
     * first action runs an extra job that counts the pairs.
     * <pre>{@code counts.sampleByKeyExact(false, Map.of("a", 0.5));}</pre>
     */
    default PairRdd<K, V> sampleByKeyExact(boolean withReplacement, Map<K, Double> fractions) {
        return sampleByKeyExact(
                withReplacement, fractions, ThreadLocalRandom.current().nextLong());
    }

    /**
     * As {@link #sampleByKeyExact(boolean, Map)}, with a seed: equal seeds draw the same number of pairs from each
     * partition.
     * <pre>{@code counts.sampleByKeyExact(true, Map.of("a", 1.5), 42);}</pre>
     */
    default PairRdd<K, V> sampleByKeyExact(boolean withReplacement, Map<K, Double> fractions, long seed) {
        Map<K, Double> checked = ArgumentChecks.fractions("sampleByKeyExact", fractions, withReplacement);
        return context()
                .pairs(mapPartitionsAfter(
                        new CountByValueFunction.OfKeys<K, V>(),
                        new ExactKeySampling<K, V>(withReplacement, checked, seed),
                        true));
    }

    @Override
    PairRdd<K, V> named(String name);

    @Override
    PairRdd<K, V> withResources(ResourceProfile profile);

    @Override
    PairRdd<K, V> persist(StorageLevel level);

    @Override
    PairRdd<K, V> unpersist(boolean blocking);

    @Override
    PairRdd<K, V> filter(FilterFunction<? super Pair<K, V>> function);

    @Override
    PairRdd<K, V> coalesce(int partitions);

    @Override
    default PairRdd<K, V> cache() {
        return persist(StorageLevel.MEMORY_ONLY);
    }

    @Override
    default PairRdd<K, V> unpersist() {
        return unpersist(false);
    }

    @Override
    default Map<K, Long> countByKey() {
        return SetOperations.counts(keys());
    }

    @Override
    default PairRdd<K, V> distinct() {
        return distinct(DefaultPartitioning.partitions(this));
    }

    @Override
    default PairRdd<K, V> distinct(int partitions) {
        Optional<Partitioner> current = partitioner().filter(known -> partitions == partitions());
        return context()
                .pairs(
                        current.isPresent()
                                ? SetOperations.distinctWithinPartitions(this, current.get())
                                : Rdd.super.distinct(partitions));
    }

    @Override
    default PairRdd<K, V> union(Rdd<? extends Pair<K, V>> other) {
        return context().pairs(Rdd.super.union(other));
    }

    @Override
    default PairRdd<K, V> intersection(Rdd<Pair<K, V>> other) {
        return context().pairs(Rdd.super.intersection(other));
    }

    @Override
    default PairRdd<K, V> intersection(Rdd<Pair<K, V>> other, int partitions) {
        return context().pairs(Rdd.super.intersection(other, partitions));
    }

    @Override
    default PairRdd<K, V> subtract(Rdd<Pair<K, V>> other) {
        return subtract(other, DefaultPartitioning.partitions(this));
    }

    @Override
    default PairRdd<K, V> subtract(Rdd<Pair<K, V>> other, int partitions) {
        return context().pairs(Rdd.super.subtract(other, partitions));
    }

    @Override
    default PairRdd<K, V> subtract(Rdd<Pair<K, V>> other, Partitioner partitioner) {
        return context().pairs(Rdd.super.subtract(other, partitioner));
    }

    @Override
    default PairRdd<K, V> coalesce(int partitions, boolean shuffle) {
        return shuffle ? repartition(partitions) : coalesce(partitions);
    }

    @Override
    default PairRdd<K, V> repartition(int partitions) {
        return context().pairs(Rdd.super.repartition(partitions));
    }

    @Override
    default PairRdd<K, V> sample(boolean withReplacement, double fraction) {
        return sample(withReplacement, fraction, ThreadLocalRandom.current().nextLong());
    }

    @Override
    default PairRdd<K, V> sample(boolean withReplacement, double fraction, long seed) {
        return context().pairs(Rdd.super.sample(withReplacement, fraction, seed));
    }
}
