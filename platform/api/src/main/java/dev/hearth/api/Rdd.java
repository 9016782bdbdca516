package dev.hearth.api;

import dev.hearth.api.function.AddFunction;
import dev.hearth.api.function.DoubleFunction;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.LinesFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.PairFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.StreamFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.function.ZipFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A dataset cut into partitions, described by how it is made. Immutable; belongs to the context that made it.
 * <p>Transformations only describe; actions run a job and wait for it. Any thread may call, but not code inside a task.
 */
public interface Rdd<T> extends RddActions<T> {
    /** The same dataset under a name. <pre>{@code Rdd<String> shown = lines.named("input");}</pre> */
    Rdd<T> named(String name);

    /** What keys are spread over the partitions by, where that is known. <pre>{@code counts.partitioner().isPresent();}</pre> */
    Optional<Partitioner> partitioner();

    /** What this is made of, line by line; shuffles indent. <pre>{@code System.out.println(counts.toDebugString());}</pre> */
    String toDebugString();

    /**
     * Keeps the partitions once an action has computed them, until {@link #unpersist} or nothing can read this dataset any more.
     * Changes and returns this dataset; a level other than the one it has is refused until it was given up.
     * <pre>{@code lines.persist(StorageLevel.MEMORY_AND_DISK);}</pre>
     */
    Rdd<T> persist(StorageLevel level);

    /** {@link #persist} in memory. <pre>{@code numbers.cache().count();}</pre> */
    default Rdd<T> cache() {
        return persist(StorageLevel.MEMORY_ONLY);
    }

    /** Gives up what is kept; {@code blocking} waits until it is gone. <pre>{@code numbers.unpersist(true);}</pre> */
    Rdd<T> unpersist(boolean blocking);

    /** {@link #unpersist(boolean)} without waiting. <pre>{@code numbers.unpersist();}</pre> */
    default Rdd<T> unpersist() {
        return unpersist(false);
    }

    /** How it is kept. <pre>{@code boolean kept = numbers.storageLevel() != StorageLevel.NONE;}</pre> */
    StorageLevel storageLevel();

    /**
     * Has the next action over this dataset write it to the directory for checkpoints, after which it is read from there and
     * what it was made of is forgotten. Best persisted as well, or it is computed twice. <pre>{@code numbers.checkpoint();}</pre>
     */
    void checkpoint();

    /** As {@link #checkpoint} on the executors' own storage: quicker, and lost with an executor. <pre>{@code numbers.localCheckpoint();}</pre> */
    void localCheckpoint();

    /** Whether it is read from a checkpoint by now. <pre>{@code boolean done = numbers.isCheckpointed();}</pre> */
    boolean isCheckpointed();

    /** What {@code function} makes of each element. <pre>{@code Rdd<Integer> lengths = lines.map(String::length);}</pre> */
    <R> Rdd<R> map(MapFunction<? super T, ? extends R> function);

    /** The elements that pass. <pre>{@code numbers.filter(number -> number % 2 == 0);}</pre> */
    Rdd<T> filter(FilterFunction<? super T> function);

    /** All that is made of each element. <pre>{@code lines.flatMap(line -> List.of(line.split(" ")).iterator());}</pre> */
    <R> Rdd<R> flatMap(FlatMapFunction<? super T, ? extends R> function);

    /** As {@link #flatMap}, of streams, which are closed. <pre>{@code Rdd<String> words = lines.flatMapStream(line -> Stream.of(line.split(" ")));}</pre> */
    default <R> Rdd<R> flatMapStream(StreamFunction<? super T, ? extends R> function) {
        return mapPartitions(new Streaming<T, R>(function));
    }

    /** What is made of each partition. <pre>{@code Rdd<Statistics> parts = doubles.mapPartitions(part -> List.of(Statistics.of(part)).iterator());}</pre> */
    default <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function) {
        return mapPartitions(function, false);
    }

    /** As the other; {@code preserves}: keys stay as they are, and so does the {@link #partitioner}. <pre>{@code counts.mapPartitions(part -> part, true);}</pre> */
    <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function, boolean preserves);

    /** As {@link #mapPartitions}, of a function that is told the partition. <pre>{@code lines.mapPartitionsWithIndex((number, part) -> List.of(number).iterator());}</pre> */
    default <R> Rdd<R> mapPartitionsWithIndex(IndexedPartitionFunction<T, R> function) {
        return mapPartitionsWithIndex(function, false);
    }

    /** As the other; {@code preserves}: keys stay. <pre>{@code counts.mapPartitionsWithIndex((number, part) -> part, true);}</pre> */
    <R> Rdd<R> mapPartitionsWithIndex(IndexedPartitionFunction<T, R> function, boolean preserves);

    /**
     * As {@link #mapPartitionsWithIndex}, by a function that {@code making} makes, on the driver, of what {@code survey} found in
     * all partitions, by number. The first action that needs it runs the survey, as a job of its own.
     * <pre>{@code numbers.mapPartitionsAfter((task, part) -> task.partition(), found -> (number, part) -> List.of(found.size()).iterator(), false);}</pre>
     */
    <S, R> Rdd<R> mapPartitionsAfter(
            TaskFunction<T, S> survey,
            MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> making,
            boolean preserves);

    /** A key and a value of each element. <pre>{@code PairRdd<String, Integer> ones = lines.mapToPair(word -> Pair.of(word, 1));}</pre> */
    <K, V> PairRdd<K, V> mapToPair(PairFunction<? super T, K, V> function);

    /** Keys and values of each element. <pre>{@code lines.flatMapToPair(line -> List.of(Pair.of(line, line.length())).iterator());}</pre> */
    default <K, V> PairRdd<K, V> flatMapToPair(FlatMapFunction<? super T, Pair<K, V>> function) {
        return context().pairs(this.<Pair<K, V>>flatMap(function));
    }

    /** Keys and values of each partition. <pre>{@code lines.mapPartitionsToPair(part -> List.of(Pair.of(part.hasNext(), 1)).iterator());}</pre> */
    default <K, V> PairRdd<K, V> mapPartitionsToPair(PartitionFunction<T, Pair<K, V>> function) {
        return mapPartitionsToPair(function, false);
    }

    /** As the other; {@code preserves}: keys stay. <pre>{@code counts.mapPartitionsToPair(part -> part, true);}</pre> */
    default <K, V> PairRdd<K, V> mapPartitionsToPair(PartitionFunction<T, Pair<K, V>> function, boolean preserves) {
        return context().pairs(mapPartitions(function, preserves));
    }

    /** A number of each element. <pre>{@code double sum = lines.mapToDouble(String::length).sum();}</pre> */
    default DoubleRdd mapToDouble(DoubleFunction<? super T> function) {
        return context().doubles(map(function::apply));
    }

    /** Numbers of each element. <pre>{@code lines.flatMapToDouble(line -> List.of(1.0, 2.0).iterator());}</pre> */
    default DoubleRdd flatMapToDouble(FlatMapFunction<? super T, Double> function) {
        return context().doubles(this.<Double>flatMap(function));
    }

    /** Numbers of each partition. <pre>{@code doubles.mapPartitionsToDouble(part -> List.of(Statistics.of(part).mean()).iterator());}</pre> */
    default DoubleRdd mapPartitionsToDouble(PartitionFunction<T, Double> function) {
        return mapPartitionsToDouble(function, false);
    }

    /** As the other; {@code preserves}: as for {@link #mapPartitions(PartitionFunction, boolean)}. <pre>{@code doubles.mapPartitionsToDouble(part -> part, true);}</pre> */
    default DoubleRdd mapPartitionsToDouble(PartitionFunction<T, Double> function, boolean preserves) {
        return context().doubles(mapPartitions(function, preserves));
    }

    /** The elements under the keys that {@code key} gives them. <pre>{@code PairRdd<Integer, String> byLength = lines.keyBy(String::length);}</pre> */
    default <K> PairRdd<K, T> keyBy(MapFunction<? super T, ? extends K> key) {
        return mapToPair(element -> Pair.of(key.apply(element), element));
    }

    /** The elements of each key that {@code key} gives them. <pre>{@code PairRdd<Integer, List<String>> groups = lines.groupBy(String::length);}</pre> */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key) {
        return groupBy(key, Defaults.partitioner(this).partitions());
    }

    /** As the other, over so many partitions. <pre>{@code lines.groupBy(String::length, 4);}</pre> */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key, int partitions) {
        return groupBy(key, ArgumentChecks.hash("groupBy", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code lines.groupBy(String::length, new HashPartitioner(4));}</pre> */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key, Partitioner partitioner) {
        return this.<K>keyBy(key).groupByKey(partitioner);
    }

    /** A list of each partition. <pre>{@code Rdd<List<Integer>> parts = numbers.glom();}</pre> */
    default Rdd<List<T>> glom() {
        return mapPartitions(new Glom<>());
    }

    @Override
    default Map<T, Long> countByValue() {
        return Sets.counts(this);
    }

    /** Each element once; what {@code equals} another is the same. <pre>{@code numbers.distinct();}</pre> */
    default Rdd<T> distinct() {
        return distinct(Defaults.partitions(this));
    }

    /** As the other, over so many partitions. <pre>{@code numbers.distinct(4);}</pre> */
    default Rdd<T> distinct(int partitions) {
        return Sets.distinct(this, ArgumentChecks.hash("distinct", partitions));
    }

    /** All elements of both, repeated as they are; partitions one after the other. <pre>{@code numbers.union(numbers);}</pre> */
    default Rdd<T> union(Rdd<? extends T> other) {
        return context().union(List.of(this, other));
    }

    /** The elements that both have, each once. <pre>{@code numbers.intersection(numbers.filter(number -> number > 2));}</pre> */
    default Rdd<T> intersection(Rdd<T> other) {
        return intersection(other, Defaults.partitioner(this, other).partitions());
    }

    /** As the other, over so many partitions. <pre>{@code numbers.intersection(numbers, 4);}</pre> */
    default Rdd<T> intersection(Rdd<T> other, int partitions) {
        return Sets.intersection(this, other, ArgumentChecks.hash("intersection", partitions));
    }

    /** The elements that the other has not, repeated as they are. <pre>{@code numbers.subtract(numbers.filter(number -> number > 2));}</pre> */
    default Rdd<T> subtract(Rdd<T> other) {
        return subtract(other, Defaults.partitions(this));
    }

    /** As the other, over so many partitions. <pre>{@code numbers.subtract(numbers, 4);}</pre> */
    default Rdd<T> subtract(Rdd<T> other, int partitions) {
        return subtract(other, ArgumentChecks.hash("subtract", partitions));
    }

    /** As the other, over the partitions of {@code partitioner}. <pre>{@code numbers.subtract(numbers, new HashPartitioner(4));}</pre> */
    default Rdd<T> subtract(Rdd<T> other, Partitioner partitioner) {
        return Sets.subtract(this, other, partitioner);
    }

    /** Each element here with each there. <pre>{@code PairRdd<String, Integer> all = lines.cartesian(numbers);}</pre> */
    <U> PairRdd<T, U> cartesian(Rdd<U> other);

    /** Each element with the one at the same place of the same partition there; both must have as many. <pre>{@code lines.zip(lines.map(String::length));}</pre> */
    default <U> PairRdd<T, U> zip(Rdd<U> other) {
        return context().pairs(zipPartitions(other, new Zipping<>()));
    }

    /** What is made of partitions with the same number; both must have as many partitions. <pre>{@code lines.zipPartitions(numbers, (left, right) -> left);}</pre> */
    default <U, R> Rdd<R> zipPartitions(Rdd<U> other, ZipFunction<T, U, R> function) {
        return zipPartitions(other, function, false);
    }

    /** As the other; {@code preserves}: keys are those of this dataset. <pre>{@code counts.zipPartitions(numbers, (left, right) -> left, true);}</pre> */
    <U, R> Rdd<R> zipPartitions(Rdd<U> other, ZipFunction<T, U, R> function, boolean preserves);

    /**
     * The elements with their places in the order of {@link #collect}. Where there are several partitions, the first action that
     * needs it counts them. <pre>{@code PairRdd<String, Long> numbered = lines.zipWithIndex();}</pre>
     */
    default PairRdd<T, Long> zipWithIndex() {
        return context()
                .pairs(
                        partitions() <= 1
                                ? mapPartitionsWithIndex(new Numbering<>(0, 1))
                                : mapPartitionsAfter(new Counting<>(), new Numbering.AfterCounts<>(), false));
    }

    /** The elements with numbers that no two share; no job runs for it. <pre>{@code PairRdd<String, Long> numbered = lines.zipWithUniqueId();}</pre> */
    default PairRdd<T, Long> zipWithUniqueId() {
        return context().pairs(mapPartitionsWithIndex(new Numbering.Striding<>(partitions())));
    }

    /** At most so many partitions, each of several as they are: nothing travels, fewer tasks run. <pre>{@code numbers.coalesce(1);}</pre> */
    Rdd<T> coalesce(int partitions);

    /** As the other; {@code shuffle} as {@link #repartition}. <pre>{@code numbers.coalesce(8, true);}</pre> */
    default Rdd<T> coalesce(int partitions, boolean shuffle) {
        return shuffle ? repartition(partitions) : coalesce(partitions);
    }

    /** The elements spread evenly over so many partitions, by a shuffle. <pre>{@code numbers.repartition(8);}</pre> */
    default Rdd<T> repartition(int partitions) {
        return Sets.spread(this, ArgumentChecks.partitions("repartition", partitions));
    }

    /** Some of the partitions, in that order; no others are computed. <pre>{@code lines.pick(List.of(0));}</pre> */
    Rdd<T> pick(List<Integer> partitions);

    /** By the keys that {@code key} gives, over as many partitions as now. <pre>{@code lines.sortBy(String::length);}</pre> */
    default <K> Rdd<T> sortBy(MapFunction<? super T, ? extends K> key) {
        return sortBy(key, true, Defaults.partitions(this));
    }

    /** By the keys that {@code key} gives. <pre>{@code lines.sortBy(String::length, false, 2);}</pre> */
    default <K> Rdd<T> sortBy(MapFunction<? super T, ? extends K> key, boolean ascending, int partitions) {
        return this.<K>keyBy(key).sortByKey(ascending, partitions).values();
    }

    /** Some elements, each drawn with probability {@code fraction}, or {@code fraction} times on average with replacement. <pre>{@code numbers.sample(false, 0.1);}</pre> */
    default Rdd<T> sample(boolean withReplacement, double fraction) {
        return sample(withReplacement, fraction, ThreadLocalRandom.current().nextLong());
    }

    /** As the other, the same elements for the same seed. <pre>{@code numbers.sample(true, 1.5, 42);}</pre> */
    default Rdd<T> sample(boolean withReplacement, double fraction, long seed) {
        ArgumentChecks.fraction("sample", fraction, withReplacement);
        return mapPartitionsWithIndex(new Sampling<>(withReplacement, fraction, seed), true);
    }

    /** Cut at random into parts of about these weights. <pre>{@code List<Rdd<Integer>> parts = numbers.randomSplit(0.8, 0.2);}</pre> */
    default List<Rdd<T>> randomSplit(double... weights) {
        return randomSplit(weights, ThreadLocalRandom.current().nextLong());
    }

    /** As the other, the same parts for the same seed. <pre>{@code numbers.randomSplit(new double[] {1, 1}, 42);}</pre> */
    default List<Rdd<T>> randomSplit(double[] weights, long seed) {
        double total = ArgumentChecks.weights("randomSplit", weights);
        List<Rdd<T>> parts = new ArrayList<>();
        double passed = 0;
        for (int i = 0; i < weights.length; i++) {
            double from = passed / total;
            passed += weights[i];
            double until = i == weights.length - 1 ? 1 : passed / total;
            parts.add(mapPartitionsWithIndex(new Sampling.Cell<>(from, until, seed), true));
        }
        return parts;
    }

    /** The lines that a process writes, which is given the elements of a partition as lines. <pre>{@code lines.pipe("grep error");}</pre> */
    default Rdd<String> pipe(String command) {
        return pipe(Arrays.asList(command.strip().split("\\s+")));
    }

    /** As the other, of a program and its arguments. <pre>{@code lines.pipe(List.of("grep", "an error"));}</pre> */
    default Rdd<String> pipe(List<String> command) {
        return pipe(command, Map.of());
    }

    /** As the other, with more in its environment. <pre>{@code lines.pipe(List.of("env"), Map.of("LANG", "C"));}</pre> */
    default Rdd<String> pipe(List<String> command, Map<String, String> environment) {
        return pipe(Command.of(command).with(environment));
    }

    /** As the other, of all that a process can be told. <pre>{@code lines.pipe(Command.of(List.of("sort")).inOwnDirectory());}</pre> */
    default Rdd<String> pipe(Command command) {
        return pipe(command, new Piping.AsText<>());
    }

    /** As the other; {@code writing} says how elements become lines. <pre>{@code numbers.pipe(Command.of(List.of("cat")), (number, to) -> to.accept("n" + number));}</pre> */
    default Rdd<String> pipe(Command command, LinesFunction<? super T> writing) {
        return mapPartitionsWithIndex(new Piping<>(command, writing));
    }

    @Override
    default <A> A treeAggregate(
            A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join, int depth, boolean lastOnExecutor) {
        return Folding.inTree(
                this, new Folding<>(zero, add), join, ArgumentChecks.depth("treeAggregate", depth), lastOnExecutor);
    }

    /** The same dataset; the stage that computes what follows runs all its tasks at once. <pre>{@code numbers.barrier().mapPartitions(part -> part);}</pre> */
    BarrierRdd<T> barrier();
}
