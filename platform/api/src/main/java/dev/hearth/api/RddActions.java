package dev.hearth.api;

import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.EstimateFunction;
import dev.hearth.api.function.OrderFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The actions of {@link Rdd}: each runs a job and returns its result. Any thread of the driver may call the methods;
 * code inside a task may not.
 */
public interface RddActions<T> {
    /** The id of this dataset, unique in its context. <pre>{@code int id = lines.id();}</pre> */
    int id();

    /** The name set by {@link Rdd#named}, or an empty string. <pre>{@code String name = lines.name();}</pre> */
    String name();

    /** The context that created this dataset. <pre>{@code HearthContext mine = lines.context();}</pre> */
    HearthContext context();

    /**
     * The number of partitions, which is the number of tasks of a stage over this dataset.
     * <pre>{@code int tasks = lines.partitions();}</pre>
     */
    int partitions();

    /**
     * Runs {@code function} over the given partitions and returns the results in the given order.
     * <pre>{@code lines.evaluate((task, part) -> task.partition(), List.of(0));}</pre>
     */
    <R> List<R> evaluate(TaskFunction<T, R> function, List<Integer> partitions);

    /**
     * As {@link #evaluate(TaskFunction, List)}, over all partitions.
     * <pre>{@code lines.evaluate((task, part) -> task.partition());}</pre>
     */
    default <R> List<R> evaluate(TaskFunction<T, R> function) {
        return evaluate(function, IntStream.range(0, partitions()).boxed().toList());
    }

    /**
     * As {@link #evaluate(TaskFunction, List)}, without waiting for the result.
     * <pre>{@code lines.evaluateAsync((task, part) -> task.partition(), List.of(0)).stage();}</pre>
     */
    <R> JobFuture<List<R>> evaluateAsync(TaskFunction<T, R> function, List<Integer> partitions);

    /**
     * Runs {@code function} over all partitions. When {@code timeout} expires, {@code estimate} computes a result from
     * the tasks that have finished.
     * <pre>{@code lines.approximate((task, part) -> 1, (found, tasks) -> found.size(), Duration.ofSeconds(1));}</pre>
     */
    <S, R> PartialResult<R> approximate(TaskFunction<T, S> function, EstimateFunction<S, R> estimate, Duration timeout);

    /**
     * Merges all elements into one; throws {@link HearthException} for an empty dataset.
     * <pre>{@code int sum = numbers.reduce(Integer::sum);}</pre>
     */
    T reduce(ReduceFunction<T> function);

    /**
     * As {@link #reduce}, in 2 rounds: executors merge most of the results of partitions, and the driver merges the few
     * that remain.
     * <pre>{@code numbers.treeReduce(Integer::sum);}</pre>
     */
    default T treeReduce(ReduceFunction<T> function) {
        return treeReduce(function, 2);
    }

    /**
     * As {@link #treeReduce(ReduceFunction)}, in about {@code depth} rounds instead of 2.
     * <pre>{@code numbers.treeReduce(Integer::sum, 3);}</pre>
     */
    default T treeReduce(ReduceFunction<T> function, int depth) {
        Option<NullableHolder<T>> joined = treeAggregate(
                Option.empty(),
                new FoldFunction.Adding<>(function),
                new FoldFunction.Joining<>(function),
                ArgumentChecks.depth("treeReduce", depth));
        if (joined.isEmpty()) {
            throw ArgumentChecks.empty("treeReduce");
        }
        return joined.get().element();
    }

    /**
     * As {@link #reduce}, starting from the neutral element {@code zero}, which is the result for an empty dataset.
     * <pre>{@code int sum = numbers.fold(0, Integer::sum);}</pre>
     */
    default T fold(T zero, ReduceFunction<T> function) {
        return aggregate(zero, function, function);
    }

    /**
     * Aggregates the elements of each partition, starting from the neutral value {@code zero}, and merges the results
     * of all partitions.
     * <pre>{@code int length = lines.aggregate(0, (sum, line) -> sum + line.length(), Integer::sum);}</pre>
     */
    default <A> A aggregate(A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join) {
        return FoldFunction.join("aggregate", zero, evaluate(new FoldFunction<>(zero, add)), join);
    }

    /**
     * As {@link #aggregate}, in 2 rounds: executors merge most of the results of partitions, and the driver merges the
     * few that remain.
     * <pre>{@code lines.treeAggregate(0, (sum, line) -> sum + line.length(), Integer::sum);}</pre>
     */
    default <A> A treeAggregate(A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join) {
        return treeAggregate(zero, add, join, 2);
    }

    /**
     * As {@link #treeAggregate(Object, AddFunction, ReduceFunction)}, in about {@code depth} rounds instead of 2.
     * <pre>{@code lines.treeAggregate(0, (sum, line) -> sum + line.length(), Integer::sum, 3);}</pre>
     */
    default <A> A treeAggregate(A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join, int depth) {
        return treeAggregate(zero, add, join, depth, false);
    }

    /**
     * As {@link #treeAggregate(Object, AddFunction, ReduceFunction, int)}; with {@code lastOnExecutor} the last merge
     * also runs on an executor.
     * <pre>{@code lines.treeAggregate(0, (sum, line) -> sum + line.length(), Integer::sum, 3, true);}</pre>
     */
    <A> A treeAggregate(
            A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join, int depth, boolean lastOnExecutor);

    /** Counts the elements. <pre>{@code long size = lines.count();}</pre> */
    long count();

    /**
     * As {@link #count}, estimated from the tasks that finish within {@code timeout}, with confidence 0.95.
     * <pre>{@code PartialResult<Estimate> size = lines.countApprox(Duration.ofSeconds(1));}</pre>
     */
    default PartialResult<Estimate> countApprox(Duration timeout) {
        return countApprox(timeout, 0.95);
    }

    /**
     * As {@link #countApprox(Duration)}, with {@code confidence} from 0 to 1 instead of 0.95.
     * <pre>{@code lines.countApprox(Duration.ofSeconds(1), 0.9);}</pre>
     */
    default PartialResult<Estimate> countApprox(Duration timeout, double confidence) {
        return approximate(new CountFunction<>(), BoundedEstimates.count("countApprox", confidence), timeout);
    }

    /** Counts how often each element occurs. <pre>{@code Map<Integer, Long> often = numbers.countByValue();}</pre> */
    Map<T, Long> countByValue();

    /**
     * As {@link #countByValue}, estimated from the tasks that finish within {@code timeout}, with confidence 0.95.
     * <pre>{@code numbers.countByValueApprox(Duration.ofSeconds(1));}</pre>
     */
    default PartialResult<Map<T, Estimate>> countByValueApprox(Duration timeout) {
        return countByValueApprox(timeout, 0.95);
    }

    /**
     * As {@link #countByValueApprox(Duration)}, with {@code confidence} from 0 to 1 instead of 0.95.
     * <pre>{@code numbers.countByValueApprox(Duration.ofSeconds(1), 0.9);}</pre>
     */
    default PartialResult<Map<T, Estimate>> countByValueApprox(Duration timeout, double confidence) {
        return approximate(
                new CountByValueFunction<>(), BoundedEstimates.counts("countByValueApprox", confidence), timeout);
    }

    /**
     * Estimates the number of distinct elements; {@code error} is the relative standard error, at least 0.000017.
     * <pre>{@code long about = lines.countApproxDistinct(0.05);}</pre>
     */
    default long countApproxDistinct(double error) {
        HyperLogLog empty = HyperLogLog.of("countApproxDistinct", error);
        return aggregate(empty, HyperLogLog.adding(), HyperLogLog.joining()).estimate();
    }

    /**
     * Collects all elements on the driver, in partition order.
     * <pre>{@code List<String> all = lines.collect();}</pre>
     */
    List<T> collect();

    /**
     * Collects the elements of the given partitions, one list per partition.
     * <pre>{@code List<List<String>> two = lines.collectPartitions(0, 1);}</pre>
     */
    default List<List<T>> collectPartitions(int... partitions) {
        return evaluate(
                new GlomFunction.OfTask<>(), IntStream.of(partitions).boxed().toList());
    }

    /**
     * Iterates over all elements on the driver, in partition order, with one partition in memory at a time.
     * <pre>{@code Iterator<String> one = lines.toLocalIterator();}</pre>
     */
    default Iterator<T> toLocalIterator() {
        return toLocalIterator(false);
    }

    /**
     * As {@link #toLocalIterator()}; if {@code prefetch}, the next partition is computed while the application reads
     * the current one.
     * <pre>{@code lines.toLocalIterator(true);}</pre>
     */
    default Iterator<T> toLocalIterator(boolean prefetch) {
        return new LocalElementsIterator<T>(this, prefetch);
    }

    /**
     * The elements of {@link #toLocalIterator()} as a stream, which need not be closed.
     * <pre>{@code int length = lines.stream().mapToInt(String::length).sum();}</pre>
     */
    default Stream<T> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(toLocalIterator(), Spliterator.ORDERED), false);
    }

    /**
     * The first {@code count} elements, or all if there are fewer; computes as few partitions as it can.
     * <pre>{@code List<String> some = lines.take(10);}</pre>
     */
    List<T> take(int count);

    /**
     * Samples {@code count} elements uniformly at random, or all if there are fewer and {@code withReplacement} is
     * false.
     * <pre>{@code numbers.takeSample(false, 10);}</pre>
     */
    default List<T> takeSample(boolean withReplacement, int count) {
        return takeSample(withReplacement, count, ThreadLocalRandom.current().nextLong());
    }

    /**
     * As {@link #takeSample(boolean, int)}, with a seed: equal seeds draw the same elements.
     * <pre>{@code numbers.takeSample(false, 10, 42);}</pre>
     */
    default List<T> takeSample(boolean withReplacement, int count, long seed) {
        return new ExactSample<T>(this, withReplacement, ArgumentChecks.count("takeSample", count), seed).take();
    }

    /**
     * The {@code count} smallest elements, in natural order.
     * <pre>{@code List<Integer> least = numbers.takeOrdered(3);}</pre>
     */
    default List<T> takeOrdered(int count) {
        return takeOrdered(count, new NaturalOrder<>());
    }

    /**
     * As {@link #takeOrdered(int)}, in the order of {@code order}.
     * <pre>{@code List<Integer> largest = numbers.takeOrdered(3, (left, right) -> right - left);}</pre>
     */
    default List<T> takeOrdered(int count, OrderFunction<? super T> order) {
        return takeOrdered(count, (Comparator<? super T>) order);
    }

    /**
     * As {@link #takeOrdered(int, OrderFunction)}, with a comparator, which must be {@link java.io.Serializable}.
     * <pre>{@code lines.takeOrdered(3, Comparator.naturalOrder());}</pre>
     */
    default List<T> takeOrdered(int count, Comparator<? super T> order) {
        return TakeOrderedFunction.take(this, ArgumentChecks.count("takeOrdered", count), order);
    }

    /**
     * The {@code count} largest elements in natural order, the largest first.
     * <pre>{@code List<Integer> largest = numbers.top(3);}</pre>
     */
    default List<T> top(int count) {
        return top(count, new NaturalOrder<>());
    }

    /**
     * As {@link #top(int)}, in the order of {@code order}.
     * <pre>{@code List<String> longest = lines.top(3, (left, right) -> left.length() - right.length());}</pre>
     */
    default List<T> top(int count, OrderFunction<? super T> order) {
        return top(count, (Comparator<? super T>) order);
    }

    /**
     * As {@link #top(int, OrderFunction)}, with a comparator, which must be {@link java.io.Serializable}.
     * <pre>{@code lines.top(3, Comparator.naturalOrder());}</pre>
     */
    default List<T> top(int count, Comparator<? super T> order) {
        return TakeOrderedFunction.take(this, ArgumentChecks.count("top", count), new ReversedComparator<T>(order));
    }

    /**
     * The smallest element in the order of {@code order}; throws {@link HearthException} for an empty dataset.
     * <pre>{@code String shortest = lines.min((left, right) -> left.length() - right.length());}</pre>
     */
    default T min(OrderFunction<? super T> order) {
        return min((Comparator<? super T>) order);
    }

    /**
     * As {@link #min(OrderFunction)}, with a comparator, which must be {@link java.io.Serializable}.
     * <pre>{@code int least = numbers.min(Comparator.naturalOrder());}</pre>
     */
    default T min(Comparator<? super T> order) {
        return TakeOrderedFunction.first("min", takeOrdered(1, order));
    }

    /**
     * The largest element in the order of {@code order}; throws {@link HearthException} for an empty dataset.
     * <pre>{@code String longest = lines.max((left, right) -> left.length() - right.length());}</pre>
     */
    default T max(OrderFunction<? super T> order) {
        return max((Comparator<? super T>) order);
    }

    /**
     * As {@link #max(OrderFunction)}, with a comparator, which must be {@link java.io.Serializable}.
     * <pre>{@code int largest = numbers.max(Comparator.naturalOrder());}</pre>
     */
    default T max(Comparator<? super T> order) {
        return TakeOrderedFunction.first("max", top(1, order));
    }

    /**
     * The first element; throws {@link HearthException} for an empty dataset.
     * <pre>{@code String first = lines.first();}</pre>
     */
    T first();

    /** Whether the dataset has no elements. <pre>{@code boolean none = lines.isEmpty();}</pre> */
    boolean isEmpty();

    /**
     * Calls {@code function} with each element, in tasks.
     * <pre>{@code lines.foreach(line -> Thread.onSpinWait());}</pre>
     */
    void foreach(ActionFunction<? super T> function);

    /**
     * Calls {@code function} with the iterator over each partition, in tasks.
     * <pre>{@code lines.foreachPartition(part -> part.forEachRemaining(line -> Thread.onSpinWait()));}</pre>
     */
    void foreachPartition(ActionFunction<Iterator<T>> function);

    /**
     * Writes one text file per partition into {@code directory}, which must not exist; each element becomes the line
     * that {@link String#valueOf(Object)} returns.
     * <pre>{@code lines.saveAsTextFile("out");}</pre>
     */
    default void saveAsTextFile(String directory) {
        saveAsTextFile(directory, "");
    }

    /**
     * As {@link #saveAsTextFile(String)}, compressed with {@code codec}: {@code gz}, {@code zst}, {@code lz4},
     * {@code bz2}, {@code deflate} or {@code snappy}.
     * <pre>{@code lines.saveAsTextFile("out", "gz");}</pre>
     */
    void saveAsTextFile(String directory, String codec);

    /**
     * Writes the serialised elements into {@code directory}, which must not exist; {@link HearthContext#objectFile}
     * reads them.
     * <pre>{@code numbers.saveAsObjectFile("out");}</pre>
     */
    void saveAsObjectFile(String directory);

    /** {@link #count} without waiting. <pre>{@code JobFuture<Long> size = lines.countAsync();}</pre> */
    JobFuture<Long> countAsync();

    /** {@link #collect} without waiting. <pre>{@code JobFuture<List<String>> all = lines.collectAsync();}</pre> */
    JobFuture<List<T>> collectAsync();

    /** {@link #take} without waiting. <pre>{@code JobFuture<List<String>> some = lines.takeAsync(10);}</pre> */
    JobFuture<List<T>> takeAsync(int count);

    /**
     * {@link #foreach} without waiting.
     * <pre>{@code lines.foreachAsync(line -> Thread.onSpinWait()).cancel(true);}</pre>
     */
    JobFuture<Void> foreachAsync(ActionFunction<? super T> function);

    /**
     * {@link #foreachPartition} without waiting.
     * <pre>{@code lines.foreachPartitionAsync(part -> Thread.onSpinWait());}</pre>
     */
    JobFuture<Void> foreachPartitionAsync(ActionFunction<Iterator<T>> function);
}
