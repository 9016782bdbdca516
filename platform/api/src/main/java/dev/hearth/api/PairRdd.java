package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.OrderFunction;
import dev.hearth.api.function.ReduceFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A dataset of keys and values. Keys are compared by {@code equals} and {@code hashCode}, which must not change and must be the
 * same for copies: a class that has none of its own brings nothing together, and arrays are refused.
 * <p>Where no partitioner is given, that of the largest dataset is used if there is one, and nothing of that travels again.
 */
public interface PairRdd<K, V> extends Rdd<Pair<K, V>>, PairJoins<K, V>, PairActions<K, V> {
    /** Joins the values of each key; values of one partition are joined before they travel. <pre>{@code counts.reduceByKey(Integer::sum);}</pre> */
    default PairRdd<K, V> reduceByKey(ReduceFunction<V> function) {
        return reduceByKey(function, Defaults.partitioner(this));
    }

    /** As the other, over so many partitions. <pre>{@code counts.reduceByKey(Integer::sum, 4);}</pre> */
    default PairRdd<K, V> reduceByKey(ReduceFunction<V> function, int partitions) {
        return reduceByKey(function, ArgumentChecks.hash("reduceByKey", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code counts.reduceByKey(Integer::sum, new HashPartitioner(4));}</pre> */
    PairRdd<K, V> reduceByKey(ReduceFunction<V> function, Partitioner partitioner);

    /** As {@link #reduceByKey}, from a neutral value on. <pre>{@code counts.foldByKey(0, Integer::sum);}</pre> */
    default PairRdd<K, V> foldByKey(V zero, ReduceFunction<V> function) {
        return foldByKey(zero, function, Defaults.partitioner(this));
    }

    /** As the other, over so many partitions; arguments as those of {@link #aggregateByKey}. <pre>{@code counts.foldByKey(0, 4, Integer::sum);}</pre> */
    default PairRdd<K, V> foldByKey(V zero, int partitions, ReduceFunction<V> function) {
        return foldByKey(zero, function, partitions);
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code counts.foldByKey(0, new HashPartitioner(4), Integer::sum);}</pre> */
    default PairRdd<K, V> foldByKey(V zero, Partitioner partitioner, ReduceFunction<V> function) {
        return foldByKey(zero, function, partitioner);
    }

    /** As the other, over so many partitions. <pre>{@code counts.foldByKey(0, Integer::sum, 4);}</pre> */
    default PairRdd<K, V> foldByKey(V zero, ReduceFunction<V> function, int partitions) {
        return foldByKey(zero, function, ArgumentChecks.hash("foldByKey", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code counts.foldByKey(0, Integer::sum, new HashPartitioner(4));}</pre> */
    default PairRdd<K, V> foldByKey(V zero, ReduceFunction<V> function, Partitioner partitioner) {
        return combineByKey(new FromZero<V, V>(zero, function::apply, function), partitioner);
    }

    /** All values of each key, in no particular order. <pre>{@code PairRdd<String, List<Integer>> groups = counts.groupByKey();}</pre> */
    default PairRdd<K, List<V>> groupByKey() {
        return groupByKey(Defaults.partitioner(this));
    }

    /** As the other, over so many partitions. <pre>{@code counts.groupByKey(4);}</pre> */
    default PairRdd<K, List<V>> groupByKey(int partitions) {
        return groupByKey(ArgumentChecks.hash("groupByKey", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code counts.groupByKey(new HashPartitioner(4));}</pre> */
    PairRdd<K, List<V>> groupByKey(Partitioner partitioner);

    /** The values of each key made into one of another kind; those of one partition before they travel. <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum));}</pre> */
    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner) {
        return combineByKey(combiner, Defaults.partitioner(this));
    }

    /** As the other, over so many partitions. <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum), 4);}</pre> */
    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, int partitions) {
        return combineByKey(combiner, ArgumentChecks.hash("combineByKey", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum), new HashPartitioner(4));}</pre> */
    <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, Partitioner partitioner);

    /** As the other; {@code before}: values of one partition are combined before they travel. <pre>{@code counts.combineByKey(Combiner.of(Long::valueOf, (sum, one) -> sum + one, Long::sum), new HashPartitioner(4), false);}</pre> */
    default <C> PairRdd<K, C> combineByKey(Combiner<V, C> combiner, Partitioner partitioner, boolean before) {
        return (before ? this : partitionBy(partitioner)).combineByKey(combiner, partitioner);
    }

    /** As the other, by three functions. <pre>{@code PairRdd<String, Long> sums = counts.combineByKey(Long::valueOf, (sum, one) -> sum + one, Long::sum);}</pre> */
    default <C> PairRdd<K, C> combineByKey(
            MapFunction<? super V, ? extends C> create, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return combineByKey(Combiner.of(create, add, join));
    }

    /** As the other, over so many partitions. <pre>{@code PairRdd<String, Long> sums = counts.combineByKey(Long::valueOf, (sum, one) -> sum + one, Long::sum, 4);}</pre> */
    default <C> PairRdd<K, C> combineByKey(
            MapFunction<? super V, ? extends C> create,
            AddFunction<C, ? super V> add,
            ReduceFunction<C> join,
            int partitions) {
        return combineByKey(Combiner.of(create, add, join), partitions);
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code PairRdd<String, Long> sums = counts.combineByKey(Long::valueOf, (sum, one) -> sum + one, Long::sum, new HashPartitioner(4));}</pre> */
    default <C> PairRdd<K, C> combineByKey(
            MapFunction<? super V, ? extends C> create,
            AddFunction<C, ? super V> add,
            ReduceFunction<C> join,
            Partitioner partitioner) {
        return combineByKey(Combiner.of(create, add, join), partitioner);
    }

    /** Gathers the values of each key, from a neutral {@code zero} on, of which each key gets a copy. <pre>{@code PairRdd<String, Long> sums = counts.aggregateByKey(0L, (sum, one) -> sum + one, Long::sum);}</pre> */
    default <C> PairRdd<K, C> aggregateByKey(C zero, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return aggregateByKey(zero, Defaults.partitioner(this), add, join);
    }

    /** As the other, over so many partitions. <pre>{@code PairRdd<String, Long> sums = counts.aggregateByKey(0L, 4, (sum, one) -> sum + one, Long::sum);}</pre> */
    default <C> PairRdd<K, C> aggregateByKey(
            C zero, int partitions, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return aggregateByKey(zero, ArgumentChecks.hash("aggregateByKey", partitions), add, join);
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code PairRdd<String, Long> sums = counts.aggregateByKey(0L, new HashPartitioner(4), (sum, one) -> sum + one, Long::sum);}</pre> */
    default <C> PairRdd<K, C> aggregateByKey(
            C zero, Partitioner partitioner, AddFunction<C, ? super V> add, ReduceFunction<C> join) {
        return combineByKey(new FromZero<V, C>(zero, add, join), partitioner);
    }

    /** About how many different values each key has; {@code error} is the usual relative one. <pre>{@code PairRdd<String, Long> about = counts.countApproxDistinctByKey(0.05);}</pre> */
    default PairRdd<K, Long> countApproxDistinctByKey(double error) {
        return countApproxDistinctByKey(error, Defaults.partitioner(this));
    }

    /** As the other, over so many partitions. <pre>{@code counts.countApproxDistinctByKey(0.05, 4);}</pre> */
    default PairRdd<K, Long> countApproxDistinctByKey(double error, int partitions) {
        return countApproxDistinctByKey(error, ArgumentChecks.hash("countApproxDistinctByKey", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code counts.countApproxDistinctByKey(0.05, new HashPartitioner(4));}</pre> */
    default PairRdd<K, Long> countApproxDistinctByKey(double error, Partitioner partitioner) {
        return combineByKey(DistinctSketch.<V>combiner("countApproxDistinctByKey", error), partitioner)
                .mapValues(DistinctSketch.estimating());
    }

    /** The same pairs, each in the partition that {@code partitioner} gives its key. <pre>{@code counts.partitionBy(new HashPartitioner(4));}</pre> */
    PairRdd<K, V> partitionBy(Partitioner partitioner);

    /** As {@link #partitionBy}, each partition in the own order of its keys. <pre>{@code counts.repartitionAndSortWithinPartitions(new HashPartitioner(4));}</pre> */
    PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner);

    /** As the other, by any order. <pre>{@code counts.repartitionAndSortWithinPartitions(new HashPartitioner(4), (left, right) -> right.compareTo(left));}</pre> */
    default PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner, OrderFunction<? super K> order) {
        return repartitionAndSortWithinPartitions(partitioner, (Comparator<? super K>) order);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code counts.repartitionAndSortWithinPartitions(new HashPartitioner(4), Comparator.reverseOrder());}</pre> */
    PairRdd<K, V> repartitionAndSortWithinPartitions(Partitioner partitioner, Comparator<? super K> order);

    /**
     * By the own order of the keys, which must be {@link Comparable}; null first, or last when descending. Partitions follow one
     * another in that order and hold about equally many pairs, as far as equal keys, which stay together, allow.
     * <p>For that the first action draws a sample by a job of its own, which computes this dataset once, and waits for it on the
     * calling thread, actions that do not wait too; with one partition there is no need. Persist what is costly to compute.
     * <pre>{@code counts.sortByKey();}</pre>
     */
    default PairRdd<K, V> sortByKey() {
        return sortByKey(true);
    }

    /** As the other, or from the largest key on. <pre>{@code counts.sortByKey(false);}</pre> */
    default PairRdd<K, V> sortByKey(boolean ascending) {
        return sortByKey(ascending, Defaults.partitions(this));
    }

    /** As the other, over so many partitions. <pre>{@code counts.sortByKey(false, 2);}</pre> */
    PairRdd<K, V> sortByKey(boolean ascending, int partitions);

    /**
     * By any order, which is never asked about null. One that contradicts itself gives some order, and all pairs.
     * <pre>{@code counts.sortByKey((left, right) -> left.length() - right.length());}</pre>
     */
    default PairRdd<K, V> sortByKey(OrderFunction<? super K> order) {
        return sortByKey((Comparator<? super K>) order);
    }

    /** As the other, or from the largest key on. <pre>{@code counts.sortByKey((left, right) -> left.length() - right.length(), false);}</pre> */
    default PairRdd<K, V> sortByKey(OrderFunction<? super K> order, boolean ascending) {
        return sortByKey((Comparator<? super K>) order, ascending);
    }

    /** As the other, over so many partitions. <pre>{@code counts.sortByKey((left, right) -> left.length() - right.length(), false, 2);}</pre> */
    default PairRdd<K, V> sortByKey(OrderFunction<? super K> order, boolean ascending, int partitions) {
        return sortByKey((Comparator<? super K>) order, ascending, partitions);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code counts.sortByKey(Comparator.reverseOrder());}</pre> */
    default PairRdd<K, V> sortByKey(Comparator<? super K> order) {
        return sortByKey(order, true);
    }

    /** As the other, or from the largest key on. <pre>{@code counts.sortByKey(Comparator.reverseOrder(), false);}</pre> */
    default PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending) {
        return sortByKey(order, ascending, Defaults.partitions(this));
    }

    /** As the other, over so many partitions. <pre>{@code counts.sortByKey(Comparator.reverseOrder(), false, 2);}</pre> */
    PairRdd<K, V> sortByKey(Comparator<? super K> order, boolean ascending, int partitions);

    /** The pairs whose keys are from {@code lower} to {@code upper}, both included; of a sorted dataset only such partitions. <pre>{@code counts.filterByRange("a", "c");}</pre> */
    default PairRdd<K, V> filterByRange(K lower, K upper) {
        return filterByRange(new Natural<K>(), lower, upper);
    }

    /** As the other, by any order. <pre>{@code counts.filterByRange((left, right) -> left.length() - right.length(), "a", "ccc");}</pre> */
    default PairRdd<K, V> filterByRange(OrderFunction<? super K> order, K lower, K upper) {
        return filterByRange((Comparator<? super K>) order, lower, upper);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code counts.filterByRange(Comparator.naturalOrder(), "a", "c");}</pre> */
    default PairRdd<K, V> filterByRange(Comparator<? super K> order, K lower, K upper) {
        return KeyRange.filter(this, order, lower, upper);
    }

    /** What {@code function} makes of each value, under its key. <pre>{@code counts.mapValues(count -> count + 1);}</pre> */
    <W> PairRdd<K, W> mapValues(MapFunction<? super V, ? extends W> function);

    /** All that is made of each value, under its key. <pre>{@code counts.flatMapValues(count -> List.of(count, count).iterator());}</pre> */
    <W> PairRdd<K, W> flatMapValues(FlatMapFunction<? super V, ? extends W> function);

    @Override
    default List<V> lookup(K key) {
        return Lookup.in(this, key);
    }

    /** The keys, repeated as they are. <pre>{@code Rdd<String> keys = counts.keys();}</pre> */
    default Rdd<K> keys() {
        return map(Pair::key);
    }

    /** The values. <pre>{@code Rdd<Integer> values = counts.values();}</pre> */
    default Rdd<V> values() {
        return map(Pair::value);
    }

    /** Some pairs: those of a key with the probability that {@code fractions} has for it, 0 where it has none. <pre>{@code counts.sampleByKey(false, Map.of("a", 0.5));}</pre> */
    default PairRdd<K, V> sampleByKey(boolean withReplacement, Map<K, Double> fractions) {
        return sampleByKey(
                withReplacement, fractions, ThreadLocalRandom.current().nextLong());
    }

    /** As the other, the same pairs for the same seed. <pre>{@code counts.sampleByKey(true, Map.of("a", 1.5), 42);}</pre> */
    default PairRdd<K, V> sampleByKey(boolean withReplacement, Map<K, Double> fractions, long seed) {
        return context()
                .pairs(mapPartitionsWithIndex(
                        new KeySampling<K, V>(
                                withReplacement,
                                ArgumentChecks.fractions("sampleByKey", fractions, withReplacement),
                                seed),
                        true));
    }

    /** As {@link #sampleByKey}, of each key exactly its fraction of pairs, rounded up; the first action counts them before. <pre>{@code counts.sampleByKeyExact(false, Map.of("a", 0.5));}</pre> */
    default PairRdd<K, V> sampleByKeyExact(boolean withReplacement, Map<K, Double> fractions) {
        return sampleByKeyExact(
                withReplacement, fractions, ThreadLocalRandom.current().nextLong());
    }

    /** As the other, the same numbers of pairs for the same seed. <pre>{@code counts.sampleByKeyExact(true, Map.of("a", 1.5), 42);}</pre> */
    default PairRdd<K, V> sampleByKeyExact(boolean withReplacement, Map<K, Double> fractions, long seed) {
        Map<K, Double> checked = ArgumentChecks.fractions("sampleByKeyExact", fractions, withReplacement);
        return context()
                .pairs(mapPartitionsAfter(
                        new Tallies.OfKeys<K, V>(), new ExactKeySampling<K, V>(withReplacement, checked, seed), true));
    }

    @Override
    PairRdd<K, V> named(String name);

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
        return Sets.counts(keys());
    }

    @Override
    default PairRdd<K, V> distinct() {
        return distinct(Defaults.partitions(this));
    }

    @Override
    default PairRdd<K, V> distinct(int partitions) {
        Optional<Partitioner> spread = partitioner().filter(known -> partitions == partitions());
        return context()
                .pairs(spread.isPresent() ? Sets.distinctHere(this, spread.get()) : Rdd.super.distinct(partitions));
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
        return subtract(other, Defaults.partitions(this));
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
