package dev.hearth.api;

import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.PairFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import java.util.Iterator;
import java.util.List;

/**
 * A dataset cut into partitions, described by how it is made. Immutable; belongs to the context that made it.
 * <p>Transformations only describe; actions run a job and wait for it. Any thread may call, but not code inside a task.
 */
public interface Rdd<T> {
    /** A number that no other dataset of the context has. */
    int id();

    /** What it is shown as; empty unless {@link #named} gave one. */
    String name();

    /** The same dataset under a name. */
    Rdd<T> named(String name);

    HearthContext context();

    /** The number of partitions, and so of tasks in a stage over this dataset. */
    int partitions();

    /**
     * Keeps the partitions once an action has computed them, until {@link #unpersist} or nothing can read this dataset any more.
     * Changes and returns this dataset; a level other than the one it has is refused until it was given up.
     */
    Rdd<T> persist(StorageLevel level);

    /** {@link #persist} in memory. */
    default Rdd<T> cache() {
        return persist(StorageLevel.MEMORY_ONLY);
    }

    /** Gives up what is kept; {@code blocking} waits until it is gone. */
    Rdd<T> unpersist(boolean blocking);

    StorageLevel storageLevel();

    /**
     * Has the next action over this dataset write it to the directory for checkpoints, after which it is read from there and
     * what it was made of is forgotten. Best persisted as well, or it is computed twice.
     */
    void checkpoint();

    /** As {@link #checkpoint} on the executors' own storage: quicker, and lost with an executor. */
    void localCheckpoint();

    boolean isCheckpointed();

    /** Writes a file for each partition into {@code directory}, which must not be there: {@link String#valueOf} as lines. */
    default void saveAsTextFile(String directory) {
        saveAsTextFile(directory, "");
    }

    /** As {@link #saveAsTextFile(String)}, compressed: {@code gz}, {@code zst}, {@code lz4}, {@code bz2} or {@code deflate}. */
    void saveAsTextFile(String directory, String codec);

    /** Writes elements for {@link HearthContext#objectFile} into {@code directory}, which must not be there. */
    void saveAsObjectFile(String directory);

    <R> Rdd<R> map(MapFunction<? super T, ? extends R> function);

    Rdd<T> filter(FilterFunction<? super T> function);

    <R> Rdd<R> flatMap(FlatMapFunction<? super T, ? extends R> function);

    <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function);

    <R> Rdd<R> mapPartitionsWithIndex(IndexedPartitionFunction<T, R> function);

    <K, V> PairRdd<K, V> mapToPair(PairFunction<? super T, K, V> function);

    /** The elements under the keys that {@code key} gives them. */
    default <K> PairRdd<K, T> keyBy(MapFunction<? super T, ? extends K> key) {
        return mapToPair(element -> Pair.of(key.apply(element), element));
    }

    /** The elements of each key that {@code key} gives them. */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key, int partitions) {
        return this.<K>keyBy(key).groupByKey(partitions);
    }

    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key) {
        return groupBy(key, partitions());
    }

    /** The same dataset; the stage that computes what follows runs all its tasks at once. */
    BarrierRdd<T> barrier();

    /** Joins all elements into one; refuses an empty dataset with {@link HearthException}. */
    T reduce(ReduceFunction<T> function);

    long count();

    /** All elements, in partition order, in the memory of the caller. */
    List<T> collect();

    void foreach(ActionFunction<? super T> function);

    void foreachPartition(ActionFunction<Iterator<T>> function);

    /** Up to {@code count} first elements; looks at as few partitions as it can. */
    List<T> take(int count);

    /** The first element; refuses an empty dataset. */
    T first();

    boolean isEmpty();

    JobFuture<Long> countAsync();

    JobFuture<List<T>> collectAsync();

    JobFuture<Void> foreachAsync(ActionFunction<? super T> function);

    JobFuture<Void> foreachPartitionAsync(ActionFunction<Iterator<T>> function);
}
