package dev.hearth.api;

import java.util.List;

/** The joins of {@link PairRdd}. A dataset that already has the partitioner of the join is not shuffled again. */
public interface PairJoins<K, V> extends RddActions<Pair<K, V>> {
    /**
     * Groups the values of each key into one list per dataset; the first list is of this dataset. {@code operation}
     * names the method that the user called, for error texts. The engine implements this method; applications do not
     * call it.
     */
    PairRdd<K, List<?>[]> gather(String operation, Partitioner partitioner, List<? extends PairRdd<K, ?>> others);

    /**
     * Inner join: for each key, pairs each value of this dataset with each value of {@code other}.
     * <pre>{@code PairRdd<String, Pair<Integer, Integer>> both = counts.join(counts);}</pre>
     */
    default <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other) {
        return join(other, DefaultPartitioning.partitioner(this, other));
    }

    /** As {@link #join(PairRdd)}, with {@code partitions} partitions. <pre>{@code counts.join(counts, 4);}</pre> */
    default <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other, int partitions) {
        return join(other, ArgumentChecks.hash("join", partitions));
    }

    /**
     * As {@link #join(PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.join(counts, new HashPartitioner(4));}</pre>
     */
    <W> PairRdd<K, Pair<V, W>> join(PairRdd<K, W> other, Partitioner partitioner);

    /**
     * As {@link #join(PairRdd)}, plus the values of this dataset whose key is missing in {@code other}.
     * <pre>{@code PairRdd<String, Pair<Integer, Option<Integer>>> all = counts.leftOuterJoin(counts);}</pre>
     */
    default <W> PairRdd<K, Pair<V, Option<W>>> leftOuterJoin(PairRdd<K, W> other) {
        return leftOuterJoin(other, DefaultPartitioning.partitioner(this, other));
    }

    /**
     * As {@link #leftOuterJoin(PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.leftOuterJoin(counts, 4);}</pre>
     */
    default <W> PairRdd<K, Pair<V, Option<W>>> leftOuterJoin(PairRdd<K, W> other, int partitions) {
        return leftOuterJoin(other, ArgumentChecks.hash("leftOuterJoin", partitions));
    }

    /**
     * As {@link #leftOuterJoin(PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.leftOuterJoin(counts, new HashPartitioner(4));}</pre>
     */
    default <W> PairRdd<K, Pair<V, Option<W>>> leftOuterJoin(PairRdd<K, W> other, Partitioner partitioner) {
        return gather("leftOuterJoin", partitioner, List.of(other)).flatMapValues(new OuterJoinFunctions.Left<V, W>());
    }

    /**
     * As {@link #join(PairRdd)}, plus the values of {@code other} whose key is missing in this dataset.
     * <pre>{@code PairRdd<String, Pair<Option<Integer>, Integer>> all = counts.rightOuterJoin(counts);}</pre>
     */
    default <W> PairRdd<K, Pair<Option<V>, W>> rightOuterJoin(PairRdd<K, W> other) {
        return rightOuterJoin(other, DefaultPartitioning.partitioner(this, other));
    }

    /**
     * As {@link #rightOuterJoin(PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.rightOuterJoin(counts, 4);}</pre>
     */
    default <W> PairRdd<K, Pair<Option<V>, W>> rightOuterJoin(PairRdd<K, W> other, int partitions) {
        return rightOuterJoin(other, ArgumentChecks.hash("rightOuterJoin", partitions));
    }

    /**
     * As {@link #rightOuterJoin(PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.rightOuterJoin(counts, new HashPartitioner(4));}</pre>
     */
    default <W> PairRdd<K, Pair<Option<V>, W>> rightOuterJoin(PairRdd<K, W> other, Partitioner partitioner) {
        return gather("rightOuterJoin", partitioner, List.of(other))
                .flatMapValues(new OuterJoinFunctions.Right<V, W>());
    }

    /**
     * As {@link #join(PairRdd)}, plus the values of either dataset whose key is missing in the other dataset.
     * <pre>{@code PairRdd<String, Pair<Option<Integer>, Option<Integer>>> all = counts.fullOuterJoin(counts);}</pre>
     */
    default <W> PairRdd<K, Pair<Option<V>, Option<W>>> fullOuterJoin(PairRdd<K, W> other) {
        return fullOuterJoin(other, DefaultPartitioning.partitioner(this, other));
    }

    /**
     * As {@link #fullOuterJoin(PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.fullOuterJoin(counts, 4);}</pre>
     */
    default <W> PairRdd<K, Pair<Option<V>, Option<W>>> fullOuterJoin(PairRdd<K, W> other, int partitions) {
        return fullOuterJoin(other, ArgumentChecks.hash("fullOuterJoin", partitions));
    }

    /**
     * As {@link #fullOuterJoin(PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.fullOuterJoin(counts, new HashPartitioner(4));}</pre>
     */
    default <W> PairRdd<K, Pair<Option<V>, Option<W>>> fullOuterJoin(PairRdd<K, W> other, Partitioner partitioner) {
        return gather("fullOuterJoin", partitioner, List.of(other)).flatMapValues(new OuterJoinFunctions.Full<V, W>());
    }

    /**
     * For each key of either dataset, makes one list of the key's values in this dataset and one of the key's values in
     * {@code other}.
     * <pre>{@code PairRdd<String, Pair<List<Integer>, List<Integer>>> both = counts.cogroup(counts);}</pre>
     */
    default <W> PairRdd<K, Pair<List<V>, List<W>>> cogroup(PairRdd<K, W> other) {
        return cogroup(other, DefaultPartitioning.partitioner(this, other));
    }

    /**
     * As {@link #cogroup(PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.cogroup(counts, 4);}</pre>
     */
    default <W> PairRdd<K, Pair<List<V>, List<W>>> cogroup(PairRdd<K, W> other, int partitions) {
        return cogroup(other, ArgumentChecks.hash("cogroup", partitions));
    }

    /**
     * As {@link #cogroup(PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.cogroup(counts, new HashPartitioner(4));}</pre>
     */
    default <W> PairRdd<K, Pair<List<V>, List<W>>> cogroup(PairRdd<K, W> other, Partitioner partitioner) {
        return gather("cogroup", partitioner, List.of(other)).mapValues(new CoGroupFunctions.OfTwo<V, W>());
    }

    /** As {@link #cogroup(PairRdd)}, with three datasets. <pre>{@code counts.cogroup(counts, counts);}</pre> */
    default <A, B> PairRdd<K, Triple<List<V>, List<A>, List<B>>> cogroup(PairRdd<K, A> second, PairRdd<K, B> third) {
        return cogroup(second, third, DefaultPartitioning.partitioner(this, second, third));
    }

    /**
     * As {@link #cogroup(PairRdd, PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.cogroup(counts, counts, 4);}</pre>
     */
    default <A, B> PairRdd<K, Triple<List<V>, List<A>, List<B>>> cogroup(
            PairRdd<K, A> second, PairRdd<K, B> third, int partitions) {
        return cogroup(second, third, ArgumentChecks.hash("cogroup", partitions));
    }

    /**
     * As {@link #cogroup(PairRdd, PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.cogroup(counts, counts, new HashPartitioner(4));}</pre>
     */
    default <A, B> PairRdd<K, Triple<List<V>, List<A>, List<B>>> cogroup(
            PairRdd<K, A> second, PairRdd<K, B> third, Partitioner partitioner) {
        return gather("cogroup", partitioner, List.of(second, third))
                .mapValues(new CoGroupFunctions.OfThree<V, A, B>());
    }

    /** As {@link #cogroup(PairRdd)}, with four datasets. <pre>{@code counts.cogroup(counts, counts, counts);}</pre> */
    default <A, B, C> PairRdd<K, Quad<List<V>, List<A>, List<B>, List<C>>> cogroup(
            PairRdd<K, A> second, PairRdd<K, B> third, PairRdd<K, C> fourth) {
        return cogroup(second, third, fourth, DefaultPartitioning.partitioner(this, second, third, fourth));
    }

    /**
     * As {@link #cogroup(PairRdd, PairRdd, PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.cogroup(counts, counts, counts, 4);}</pre>
     */
    default <A, B, C> PairRdd<K, Quad<List<V>, List<A>, List<B>, List<C>>> cogroup(
            PairRdd<K, A> second, PairRdd<K, B> third, PairRdd<K, C> fourth, int partitions) {
        return cogroup(second, third, fourth, ArgumentChecks.hash("cogroup", partitions));
    }

    /**
     * As {@link #cogroup(PairRdd, PairRdd, PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.cogroup(counts, counts, counts, new HashPartitioner(4));}</pre>
     */
    default <A, B, C> PairRdd<K, Quad<List<V>, List<A>, List<B>, List<C>>> cogroup(
            PairRdd<K, A> second, PairRdd<K, B> third, PairRdd<K, C> fourth, Partitioner partitioner) {
        return gather("cogroup", partitioner, List.of(second, third, fourth))
                .mapValues(new CoGroupFunctions.OfFour<V, A, B, C>());
    }

    /** Same as {@link #cogroup(PairRdd)}. <pre>{@code counts.groupWith(counts);}</pre> */
    default <W> PairRdd<K, Pair<List<V>, List<W>>> groupWith(PairRdd<K, W> other) {
        return cogroup(other);
    }

    /** Same as {@link #cogroup(PairRdd, PairRdd)}. <pre>{@code counts.groupWith(counts, counts);}</pre> */
    default <A, B> PairRdd<K, Triple<List<V>, List<A>, List<B>>> groupWith(PairRdd<K, A> second, PairRdd<K, B> third) {
        return cogroup(second, third);
    }

    /**
     * Same as {@link #cogroup(PairRdd, PairRdd, PairRdd)}.
     * <pre>{@code counts.groupWith(counts, counts, counts);}</pre>
     */
    default <A, B, C> PairRdd<K, Quad<List<V>, List<A>, List<B>, List<C>>> groupWith(
            PairRdd<K, A> second, PairRdd<K, B> third, PairRdd<K, C> fourth) {
        return cogroup(second, third, fourth);
    }

    /** Keeps the pairs whose keys are missing in {@code other}. <pre>{@code counts.subtractByKey(counts);}</pre> */
    default <W> PairRdd<K, V> subtractByKey(PairRdd<K, W> other) {
        return subtractByKey(other, DefaultPartitioning.own(this));
    }

    /**
     * As {@link #subtractByKey(PairRdd)}, with {@code partitions} partitions.
     * <pre>{@code counts.subtractByKey(counts, 4);}</pre>
     */
    default <W> PairRdd<K, V> subtractByKey(PairRdd<K, W> other, int partitions) {
        return subtractByKey(other, ArgumentChecks.hash("subtractByKey", partitions));
    }

    /**
     * As {@link #subtractByKey(PairRdd)}, with {@code partitioner}.
     * <pre>{@code counts.subtractByKey(counts, new HashPartitioner(4));}</pre>
     */
    default <W> PairRdd<K, V> subtractByKey(PairRdd<K, W> other, Partitioner partitioner) {
        return gather("subtractByKey", partitioner, List.of(other)).flatMapValues(new OuterJoinFunctions.Without<V>());
    }
}
