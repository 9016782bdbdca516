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

/** The actions of {@link Rdd}: each runs a job and gives its result. Any thread may call, but not code inside a task. */
public interface RddActions<T> {
    /** A number that no other dataset of the context has. <pre>{@code int id = lines.id();}</pre> */
    int id();

    /** What it is shown as; empty unless {@link Rdd#named} gave one. <pre>{@code String name = lines.name();}</pre> */
    String name();

    /** The context that made it. <pre>{@code HearthContext mine = lines.context();}</pre> */
    HearthContext context();

    /** The number of partitions, and so of tasks in a stage over this dataset. <pre>{@code int tasks = lines.partitions();}</pre> */
    int partitions();

    /** Whatever {@code function} makes of each of those partitions, in that order. <pre>{@code lines.evaluate((task, part) -> task.partition(), List.of(0));}</pre> */
    <R> List<R> evaluate(TaskFunction<T, R> function, List<Integer> partitions);

    /** As the other, of all partitions. <pre>{@code lines.evaluate((task, part) -> task.partition());}</pre> */
    default <R> List<R> evaluate(TaskFunction<T, R> function) {
        return evaluate(function, IntStream.range(0, partitions()).boxed().toList());
    }

    /** As {@link #evaluate}, without waiting. <pre>{@code lines.evaluateAsync((task, part) -> task.partition(), List.of(0)).stage();}</pre> */
    <R> JobFuture<List<R>> evaluateAsync(TaskFunction<T, R> function, List<Integer> partitions);

    /** What {@code estimate} makes of those results of {@code function} that are there after {@code timeout}. <pre>{@code lines.approximate((task, part) -> 1, (found, tasks) -> found.size(), Duration.ofSeconds(1));}</pre> */
    <S, R> PartialResult<R> approximate(TaskFunction<T, S> function, EstimateFunction<S, R> estimate, Duration timeout);

    /** Joins all elements into one; refuses an empty dataset with {@link HearthException}. <pre>{@code int sum = numbers.reduce(Integer::sum);}</pre> */
    T reduce(ReduceFunction<T> function);

    /** As {@link #reduce}, joining on executors until little is left for the driver. <pre>{@code numbers.treeReduce(Integer::sum);}</pre> */
    default T treeReduce(ReduceFunction<T> function) {
        return treeReduce(function, 2);
    }

    /** As the other, in about so many rounds. <pre>{@code numbers.treeReduce(Integer::sum, 3);}</pre> */
    default T treeReduce(ReduceFunction<T> function, int depth) {
        Option<Cell<T>> joined = treeAggregate(
                Option.empty(),
                new Folding.Adding<>(function),
                new Folding.Joining<>(function),
                ArgumentChecks.depth("treeReduce", depth));
        if (joined.isEmpty()) {
            throw ArgumentChecks.empty("treeReduce");
        }
        return joined.get().element();
    }

    /** As {@link #reduce}, from a neutral element on; that one when there is nothing. <pre>{@code int sum = numbers.fold(0, Integer::sum);}</pre> */
    default T fold(T zero, ReduceFunction<T> function) {
        return aggregate(zero, function::apply, function);
    }

    /** Gathers the elements of each partition, from a neutral {@code zero} on, and joins what was gathered. <pre>{@code int length = lines.aggregate(0, (sum, line) -> sum + line.length(), Integer::sum);}</pre> */
    default <A> A aggregate(A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join) {
        return Folding.join("aggregate", zero, evaluate(new Folding<>(zero, add)), join);
    }

    /** As {@link #aggregate}, joining on executors until little is left for the driver. <pre>{@code lines.treeAggregate(0, (sum, line) -> sum + line.length(), Integer::sum);}</pre> */
    default <A> A treeAggregate(A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join) {
        return treeAggregate(zero, add, join, 2);
    }

    /** As the other, in about so many rounds. <pre>{@code lines.treeAggregate(0, (sum, line) -> sum + line.length(), Integer::sum, 3);}</pre> */
    default <A> A treeAggregate(A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join, int depth) {
        return treeAggregate(zero, add, join, depth, false);
    }

    /** As the other; {@code lastOnExecutor}: all is joined there, and the driver gets the one result. <pre>{@code lines.treeAggregate(0, (sum, line) -> sum + line.length(), Integer::sum, 3, true);}</pre> */
    <A> A treeAggregate(
            A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join, int depth, boolean lastOnExecutor);

    /** How many elements there are. <pre>{@code long size = lines.count();}</pre> */
    long count();

    /** As {@link #count}, as far as it is known after {@code timeout}. <pre>{@code PartialResult<Estimate> size = lines.countApprox(Duration.ofSeconds(1));}</pre> */
    default PartialResult<Estimate> countApprox(Duration timeout) {
        return countApprox(timeout, 0.95);
    }

    /** As the other, with a confidence from 0 to 1. <pre>{@code lines.countApprox(Duration.ofSeconds(1), 0.9);}</pre> */
    default PartialResult<Estimate> countApprox(Duration timeout, double confidence) {
        return approximate(new Counting<>(), Estimates.count("countApprox", confidence), timeout);
    }

    /** How often each element is there. <pre>{@code Map<Integer, Long> often = numbers.countByValue();}</pre> */
    Map<T, Long> countByValue();

    /** As {@link #countByValue}, as far as it is known after {@code timeout}. <pre>{@code numbers.countByValueApprox(Duration.ofSeconds(1));}</pre> */
    default PartialResult<Map<T, Estimate>> countByValueApprox(Duration timeout) {
        return countByValueApprox(timeout, 0.95);
    }

    /** As the other, with a confidence from 0 to 1. <pre>{@code numbers.countByValueApprox(Duration.ofSeconds(1), 0.9);}</pre> */
    default PartialResult<Map<T, Estimate>> countByValueApprox(Duration timeout, double confidence) {
        return approximate(new Tallies<>(), Estimates.counts("countByValueApprox", confidence), timeout);
    }

    /** About how many different elements there are; {@code error} is the usual relative one, 0.000017 or more. <pre>{@code long about = lines.countApproxDistinct(0.05);}</pre> */
    default long countApproxDistinct(double error) {
        DistinctSketch empty = DistinctSketch.of("countApproxDistinct", error);
        return aggregate(empty, DistinctSketch.adding(), DistinctSketch.joining())
                .estimate();
    }

    /** All elements, in partition order, in the memory of the caller. <pre>{@code List<String> all = lines.collect();}</pre> */
    List<T> collect();

    /** All elements of some partitions, in that order. <pre>{@code List<List<String>> two = lines.collectPartitions(0, 1);}</pre> */
    default List<List<T>> collectPartitions(int... partitions) {
        return evaluate(new Glom.OfTask<>(), IntStream.of(partitions).boxed().toList());
    }

    /** All elements, in partition order, one partition after the other in the memory of the caller. <pre>{@code Iterator<String> one = lines.toLocalIterator();}</pre> */
    default Iterator<T> toLocalIterator() {
        return toLocalIterator(false);
    }

    /** As the other; {@code prefetch} asks for the next partition before it is needed. <pre>{@code lines.toLocalIterator(true);}</pre> */
    default Iterator<T> toLocalIterator(boolean prefetch) {
        return new LocalElements<T>(this, prefetch);
    }

    /** {@link #toLocalIterator} as a stream, which holds nothing that must be closed. <pre>{@code int length = lines.stream().mapToInt(String::length).sum();}</pre> */
    default Stream<T> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(toLocalIterator(), Spliterator.ORDERED), false);
    }

    /** Up to {@code count} first elements; looks at as few partitions as it can. <pre>{@code List<String> some = lines.take(10);}</pre> */
    List<T> take(int count);

    /** {@code count} elements, each as likely as any other. <pre>{@code numbers.takeSample(false, 10);}</pre> */
    default List<T> takeSample(boolean withReplacement, int count) {
        return takeSample(withReplacement, count, ThreadLocalRandom.current().nextLong());
    }

    /** As the other, the same for the same seed. <pre>{@code numbers.takeSample(false, 10, 42);}</pre> */
    default List<T> takeSample(boolean withReplacement, int count, long seed) {
        return new TakenSample<T>(this, withReplacement, ArgumentChecks.count("takeSample", count), seed).take();
    }

    /** The {@code count} least elements, in their own order. <pre>{@code List<Integer> least = numbers.takeOrdered(3);}</pre> */
    default List<T> takeOrdered(int count) {
        return takeOrdered(count, new Natural<>());
    }

    /** As the other, by any order. <pre>{@code List<Integer> largest = numbers.takeOrdered(3, (left, right) -> right - left);}</pre> */
    default List<T> takeOrdered(int count, OrderFunction<? super T> order) {
        return takeOrdered(count, (Comparator<? super T>) order);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code lines.takeOrdered(3, Comparator.naturalOrder());}</pre> */
    default List<T> takeOrdered(int count, Comparator<? super T> order) {
        return Least.take(this, ArgumentChecks.count("takeOrdered", count), order);
    }

    /** The {@code count} largest elements, the largest first. <pre>{@code List<Integer> largest = numbers.top(3);}</pre> */
    default List<T> top(int count) {
        return top(count, new Natural<>());
    }

    /** As the other, by any order. <pre>{@code List<String> longest = lines.top(3, (left, right) -> left.length() - right.length());}</pre> */
    default List<T> top(int count, OrderFunction<? super T> order) {
        return top(count, (Comparator<? super T>) order);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code lines.top(3, Comparator.naturalOrder());}</pre> */
    default List<T> top(int count, Comparator<? super T> order) {
        return Least.take(this, ArgumentChecks.count("top", count), new Reversed<T>(order));
    }

    /** The least element by an order; refuses an empty dataset. <pre>{@code String shortest = lines.min((left, right) -> left.length() - right.length());}</pre> */
    default T min(OrderFunction<? super T> order) {
        return min((Comparator<? super T>) order);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code int least = numbers.min(Comparator.naturalOrder());}</pre> */
    default T min(Comparator<? super T> order) {
        return Least.only("min", takeOrdered(1, order));
    }

    /** The largest element by an order; refuses an empty dataset. <pre>{@code String longest = lines.max((left, right) -> left.length() - right.length());}</pre> */
    default T max(OrderFunction<? super T> order) {
        return max((Comparator<? super T>) order);
    }

    /** As the other, by an order that must be {@link java.io.Serializable}. <pre>{@code int largest = numbers.max(Comparator.naturalOrder());}</pre> */
    default T max(Comparator<? super T> order) {
        return Least.only("max", top(1, order));
    }

    /** The first element; refuses an empty dataset. <pre>{@code String first = lines.first();}</pre> */
    T first();

    /** Whether there are no elements. <pre>{@code boolean none = lines.isEmpty();}</pre> */
    boolean isEmpty();

    /** Calls {@code function} with each element, in tasks. <pre>{@code lines.foreach(line -> Thread.onSpinWait());}</pre> */
    void foreach(ActionFunction<? super T> function);

    /** Calls {@code function} with each partition, in tasks. <pre>{@code lines.foreachPartition(part -> part.forEachRemaining(line -> Thread.onSpinWait()));}</pre> */
    void foreachPartition(ActionFunction<Iterator<T>> function);

    /** Writes a file for each partition into {@code directory}, which must not be there: {@link String#valueOf} as lines. <pre>{@code lines.saveAsTextFile("out");}</pre> */
    default void saveAsTextFile(String directory) {
        saveAsTextFile(directory, "");
    }

    /** As the other, compressed: {@code gz}, {@code zst}, {@code lz4}, {@code bz2} or {@code deflate}. <pre>{@code lines.saveAsTextFile("out", "gz");}</pre> */
    void saveAsTextFile(String directory, String codec);

    /** Writes elements for {@link HearthContext#objectFile} into {@code directory}, which must not be there. <pre>{@code numbers.saveAsObjectFile("out");}</pre> */
    void saveAsObjectFile(String directory);

    /** {@link #count} without waiting. <pre>{@code JobFuture<Long> size = lines.countAsync();}</pre> */
    JobFuture<Long> countAsync();

    /** {@link #collect} without waiting. <pre>{@code JobFuture<List<String>> all = lines.collectAsync();}</pre> */
    JobFuture<List<T>> collectAsync();

    /** {@link #take} without waiting. <pre>{@code JobFuture<List<String>> some = lines.takeAsync(10);}</pre> */
    JobFuture<List<T>> takeAsync(int count);

    /** {@link #foreach} without waiting. <pre>{@code lines.foreachAsync(line -> Thread.onSpinWait()).cancel(true);}</pre> */
    JobFuture<Void> foreachAsync(ActionFunction<? super T> function);

    /** {@link #foreachPartition} without waiting. <pre>{@code lines.foreachPartitionAsync(part -> Thread.onSpinWait());}</pre> */
    JobFuture<Void> foreachPartitionAsync(ActionFunction<Iterator<T>> function);
}
