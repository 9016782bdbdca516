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
import dev.hearth.api.resource.ResourceProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A resilient distributed dataset: a partitioned collection defined by its lineage. It belongs to the context that
 * created it. Only its storage level and checkpoint can change.
 * <p>Transformations are lazy; actions run a job and wait for it. Any thread of the driver may call the methods; code
 * inside a task may not.
 */
public interface Rdd<T> extends RddActions<T> {
    /**
     * The same dataset with a name, which logs and web pages show.
     * <pre>{@code Rdd<String> shown = lines.named("input");}</pre>
     */
    Rdd<T> named(String name);

    /** The partitioner of the keys, if it is known. <pre>{@code counts.partitioner().isPresent();}</pre> */
    Optional<Partitioner> partitioner();

    /**
     * The lineage of this dataset as text: one line per dataset, indented further at each shuffle.
     * <pre>{@code System.out.println(counts.toDebugString());}</pre>
     */
    String toDebugString();

    /**
     * Caches the partitions once an action has computed them, until {@link #unpersist} or until the dataset is garbage
     * collected. Returns this dataset. A second call with a different level is refused until {@link #unpersist}.
     * <pre>{@code lines.persist(StorageLevel.MEMORY_AND_DISK);}</pre>
     */
    Rdd<T> persist(StorageLevel level);

    /** Same as {@link #persist} with {@link StorageLevel#MEMORY_ONLY}. <pre>{@code numbers.cache().count();}</pre> */
    default Rdd<T> cache() {
        return persist(StorageLevel.MEMORY_ONLY);
    }

    /**
     * Removes the cached partitions; {@code blocking} waits until all are removed.
     * <pre>{@code numbers.unpersist(true);}</pre>
     */
    Rdd<T> unpersist(boolean blocking);

    /** {@link #unpersist(boolean)} without waiting. <pre>{@code numbers.unpersist();}</pre> */
    default Rdd<T> unpersist() {
        return unpersist(false);
    }

    /**
     * The level at which this dataset is cached; {@link StorageLevel#NONE} if it is not persisted.
     * <pre>{@code boolean kept = numbers.storageLevel() != StorageLevel.NONE;}</pre>
     */
    StorageLevel storageLevel();

    /**
     * Sets what the stages that compute this dataset need: executors of another size, or tasks with other cores and
     * resources. It holds from the last shuffle before this dataset to the next one after it. Returns this dataset.
     * Executors of another size need dynamic allocation ({@code hearth.dynamicAllocation.enabled}) on a cluster.
     * <pre>{@code lines.withResources(new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(2)).build());}</pre>
     */
    Rdd<T> withResources(ResourceProfile profile);

    /**
     * The profile that {@link #withResources} has set; empty for a dataset whose stages take the default profile.
     * <pre>{@code boolean own = lines.resourceProfile().isPresent();}</pre>
     */
    Optional<ResourceProfile> resourceProfile();

    /**
     * Makes the next action over this dataset write its elements to files in
     * {@link HearthContext#checkpointDirectory()}. Later jobs read these files, and the dataset drops its lineage.
     * Persist the dataset as well; otherwise it is computed twice.
     * <pre>{@code numbers.checkpoint();}</pre>
     */
    void checkpoint();

    /**
     * As {@link #checkpoint}, with cached blocks on executors instead of files. This is faster, but the loss of an
     * executor loses its blocks.
     * <pre>{@code numbers.localCheckpoint();}</pre>
     */
    void localCheckpoint();

    /**
     * Whether the checkpoint of this dataset has been written.
     * <pre>{@code boolean done = numbers.isCheckpointed();}</pre>
     */
    boolean isCheckpointed();

    /**
     * Applies {@code function} to each element.
     * <pre>{@code Rdd<Integer> lengths = lines.map(String::length);}</pre>
     */
    <R> Rdd<R> map(MapFunction<? super T, ? extends R> function);

    /**
     * Keeps the elements for which {@code function} returns true.
     * <pre>{@code numbers.filter(number -> number % 2 == 0);}</pre>
     */
    Rdd<T> filter(FilterFunction<? super T> function);

    /**
     * Turns each element into any number of elements.
     * <pre>{@code lines.flatMap(line -> List.of(line.split(" ")).iterator());}</pre>
     */
    <R> Rdd<R> flatMap(FlatMapFunction<? super T, ? extends R> function);

    /**
     * As {@link #flatMap}, with a function that returns streams; each stream is closed after use.
     * <pre>{@code Rdd<String> words = lines.flatMapStream(line -> Stream.of(line.split(" ")));}</pre>
     */
    default <R> Rdd<R> flatMapStream(StreamFunction<? super T, ? extends R> function) {
        return mapPartitions(new FlatMapStreamFunction<T, R>(function));
    }

    /**
     * Applies {@code function} to each partition.
     * <pre>{@code Rdd<Statistics> parts = doubles.mapPartitions(part -> List.of(Statistics.of(part)).iterator());}</pre>
     */
    default <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function) {
        return mapPartitions(function, false);
    }

    /**
     * As {@link #mapPartitions(PartitionFunction)}; {@code preservesPartitioning} states that the function changes no
     * keys, so that the result keeps the {@link #partitioner}.
     * <pre>{@code counts.mapPartitions(part -> part, true);}</pre>
     */
    <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function, boolean preservesPartitioning);

    /**
     * As {@link #mapPartitions(PartitionFunction)}, with a function that also takes the partition number.
     * <pre>{@code lines.mapPartitionsWithIndex((number, part) -> List.of(number).iterator());}</pre>
     */
    default <R> Rdd<R> mapPartitionsWithIndex(IndexedPartitionFunction<T, R> function) {
        return mapPartitionsWithIndex(function, false);
    }

    /**
     * As {@link #mapPartitionsWithIndex(IndexedPartitionFunction)}; {@code preservesPartitioning} states that the
     * function changes no keys, so that the result keeps the partitioner.
     * <pre>{@code counts.mapPartitionsWithIndex((number, part) -> part, true);}</pre>
     */
    <R> Rdd<R> mapPartitionsWithIndex(IndexedPartitionFunction<T, R> function, boolean preservesPartitioning);

    /**
     * Applies to each partition a function that needs information about all partitions, such as their element counts.
     * The first action starts a job that runs {@code survey} over all partitions. On the driver, {@code making} then
     * turns the results of the job, in partition order, into the function.
     * <pre>{@code numbers.mapPartitionsAfter((task, part) -> task.partition(), found -> (number, part) -> List.of(found.size()).iterator(), false);}</pre>
     */
    <S, R> Rdd<R> mapPartitionsAfter(
            TaskFunction<T, S> survey,
            MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> making,
            boolean preservesPartitioning);

    /**
     * Turns each element into a pair.
     * <pre>{@code PairRdd<String, Integer> ones = lines.mapToPair(word -> Pair.of(word, 1));}</pre>
     */
    <K, V> PairRdd<K, V> mapToPair(PairFunction<? super T, K, V> function);

    /**
     * Turns each element into any number of pairs.
     * <pre>{@code lines.flatMapToPair(line -> List.of(Pair.of(line, line.length())).iterator());}</pre>
     */
    default <K, V> PairRdd<K, V> flatMapToPair(FlatMapFunction<? super T, Pair<K, V>> function) {
        return context().pairs(this.<Pair<K, V>>flatMap(function));
    }

    /**
     * Turns each partition into pairs.
     * <pre>{@code lines.mapPartitionsToPair(part -> List.of(Pair.of(part.hasNext(), 1)).iterator());}</pre>
     */
    default <K, V> PairRdd<K, V> mapPartitionsToPair(PartitionFunction<T, Pair<K, V>> function) {
        return mapPartitionsToPair(function, false);
    }

    /**
     * As {@link #mapPartitionsToPair(PartitionFunction)}; {@code preservesPartitioning} states that the function
     * changes no keys, so that the result keeps the partitioner.
     * <pre>{@code counts.mapPartitionsToPair(part -> part, true);}</pre>
     */
    default <K, V> PairRdd<K, V> mapPartitionsToPair(
            PartitionFunction<T, Pair<K, V>> function, boolean preservesPartitioning) {
        return context().pairs(mapPartitions(function, preservesPartitioning));
    }

    /** Turns each element into a number. <pre>{@code double sum = lines.mapToDouble(String::length).sum();}</pre> */
    default DoubleRdd mapToDouble(DoubleFunction<? super T> function) {
        return context().doubles(map(function::apply));
    }

    /**
     * Turns each element into any number of numbers.
     * <pre>{@code lines.flatMapToDouble(line -> List.of(1.0, 2.0).iterator());}</pre>
     */
    default DoubleRdd flatMapToDouble(FlatMapFunction<? super T, Double> function) {
        return context().doubles(this.<Double>flatMap(function));
    }

    /**
     * Turns each partition into numbers.
     * <pre>{@code doubles.mapPartitionsToDouble(part -> List.of(Statistics.of(part).mean()).iterator());}</pre>
     */
    default DoubleRdd mapPartitionsToDouble(PartitionFunction<T, Double> function) {
        return mapPartitionsToDouble(function, false);
    }

    /**
     * As {@link #mapPartitionsToDouble(PartitionFunction)}; {@code preservesPartitioning} as in
     * {@link #mapPartitions(PartitionFunction, boolean)}.
     * <pre>{@code doubles.mapPartitionsToDouble(part -> part, true);}</pre>
     */
    default DoubleRdd mapPartitionsToDouble(PartitionFunction<T, Double> function, boolean preservesPartitioning) {
        return context().doubles(mapPartitions(function, preservesPartitioning));
    }

    /**
     * Pairs each element with the key that {@code key} computes for it.
     * <pre>{@code PairRdd<Integer, String> byLength = lines.keyBy(String::length);}</pre>
     */
    default <K> PairRdd<K, T> keyBy(MapFunction<? super T, ? extends K> key) {
        return mapToPair(element -> Pair.of(key.apply(element), element));
    }

    /**
     * Groups the elements by the key that {@code key} computes for them.
     * <pre>{@code PairRdd<Integer, List<String>> groups = lines.groupBy(String::length);}</pre>
     */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key) {
        return groupBy(key, DefaultPartitioning.partitioner(this).partitions());
    }

    /**
     * As {@link #groupBy(MapFunction)}, with {@code partitions} partitions.
     * <pre>{@code lines.groupBy(String::length, 4);}</pre>
     */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key, int partitions) {
        return groupBy(key, ArgumentChecks.hash("groupBy", partitions));
    }

    /**
     * As {@link #groupBy(MapFunction)}, with {@code partitioner}.
     * <pre>{@code lines.groupBy(String::length, new HashPartitioner(4));}</pre>
     */
    default <K> PairRdd<K, List<T>> groupBy(MapFunction<? super T, ? extends K> key, Partitioner partitioner) {
        return this.<K>keyBy(key).groupByKey(partitioner);
    }

    /** Collects each partition into one list. <pre>{@code Rdd<List<Integer>> parts = numbers.glom();}</pre> */
    default Rdd<List<T>> glom() {
        return mapPartitions(new GlomFunction<>());
    }

    @Override
    default Map<T, Long> countByValue() {
        return SetOperations.counts(this);
    }

    /**
     * Removes duplicates: keeps one of several equal elements.
     * <pre>{@code numbers.distinct();}</pre>
     */
    default Rdd<T> distinct() {
        return distinct(DefaultPartitioning.partitions(this));
    }

    /** As {@link #distinct()}, with {@code partitions} partitions. <pre>{@code numbers.distinct(4);}</pre> */
    default Rdd<T> distinct(int partitions) {
        return SetOperations.distinct(this, ArgumentChecks.hash("distinct", partitions));
    }

    /**
     * All elements of both datasets, with duplicates, in the partitions that {@link HearthContext#union(List)} creates.
     * <pre>{@code numbers.union(numbers);}</pre>
     */
    default Rdd<T> union(Rdd<? extends T> other) {
        return context().union(List.of(this, other));
    }

    /**
     * The elements that occur in both datasets, without duplicates.
     * <pre>{@code numbers.intersection(numbers.filter(number -> number > 2));}</pre>
     */
    default Rdd<T> intersection(Rdd<T> other) {
        return intersection(other, DefaultPartitioning.partitioner(this, other).partitions());
    }

    /**
     * As {@link #intersection(Rdd)}, with {@code partitions} partitions.
     * <pre>{@code numbers.intersection(numbers, 4);}</pre>
     */
    default Rdd<T> intersection(Rdd<T> other, int partitions) {
        return SetOperations.intersection(this, other, ArgumentChecks.hash("intersection", partitions));
    }

    /**
     * The elements of this dataset that do not occur in {@code other}, with duplicates.
     * <pre>{@code numbers.subtract(numbers.filter(number -> number > 2));}</pre>
     */
    default Rdd<T> subtract(Rdd<T> other) {
        return subtract(other, DefaultPartitioning.partitions(this));
    }

    /**
     * As {@link #subtract(Rdd)}, with {@code partitions} partitions.
     * <pre>{@code numbers.subtract(numbers, 4);}</pre>
     */
    default Rdd<T> subtract(Rdd<T> other, int partitions) {
        return subtract(other, ArgumentChecks.hash("subtract", partitions));
    }

    /**
     * As {@link #subtract(Rdd)}, with {@code partitioner}.
     * <pre>{@code numbers.subtract(numbers, new HashPartitioner(4));}</pre>
     */
    default Rdd<T> subtract(Rdd<T> other, Partitioner partitioner) {
        return SetOperations.subtract(this, other, partitioner);
    }

    /**
     * Cartesian product: pairs each element of this dataset with each element of {@code other}.
     * <pre>{@code PairRdd<String, Integer> all = lines.cartesian(numbers);}</pre>
     */
    <U> PairRdd<T, U> cartesian(Rdd<U> other);

    /**
     * Pairs each element with the element at the same position of the same partition in {@code other}. The datasets
     * must have equally many partitions, with equally many elements each.
     * <pre>{@code lines.zip(lines.map(String::length));}</pre>
     */
    default <U> PairRdd<T, U> zip(Rdd<U> other) {
        return context().pairs(zipPartitions(other, new ElementZipFunction<>()));
    }

    /**
     * Applies {@code function} to each partition of this dataset and the partition of {@code other} with the same
     * number. Both datasets must have equally many partitions.
     * <pre>{@code lines.zipPartitions(numbers, (left, right) -> left);}</pre>
     */
    default <U, R> Rdd<R> zipPartitions(Rdd<U> other, ZipFunction<T, U, R> function) {
        return zipPartitions(other, function, false);
    }

    /**
     * As {@link #zipPartitions(Rdd, ZipFunction)}; {@code preservesPartitioning} states that the function does not
     * change the keys of this dataset, so that the result keeps its partitioner.
     * <pre>{@code counts.zipPartitions(numbers, (left, right) -> left, true);}</pre>
     */
    <U, R> Rdd<R> zipPartitions(Rdd<U> other, ZipFunction<T, U, R> function, boolean preservesPartitioning);

    /**
     * Pairs each element with its index in the order of {@link #collect}. If there are several partitions, the first
     * action runs an extra job that counts their elements.
     * <pre>{@code PairRdd<String, Long> numbered = lines.zipWithIndex();}</pre>
     */
    default PairRdd<T, Long> zipWithIndex() {
        return context()
                .pairs(
                        partitions() <= 1
                                ? mapPartitionsWithIndex(new ZipIndexFunction<>(0, 1))
                                : mapPartitionsAfter(
                                        new CountFunction<>(), new ZipIndexFunction.IndexesFromCounts<>(), false));
    }

    /**
     * Pairs each element with a unique number. The numbers are not consecutive, so no extra job counts elements.
     * <pre>{@code PairRdd<String, Long> numbered = lines.zipWithUniqueId();}</pre>
     */
    default PairRdd<T, Long> zipWithUniqueId() {
        return context().pairs(mapPartitionsWithIndex(new ZipIndexFunction.UniqueIds<>(partitions())));
    }

    /**
     * Merges partitions until at most {@code partitions} are left, without a shuffle.
     * <pre>{@code numbers.coalesce(1);}</pre>
     */
    Rdd<T> coalesce(int partitions);

    /**
     * Same as {@link #repartition} if {@code shuffle} is true, otherwise same as {@link #coalesce(int)}.
     * <pre>{@code numbers.coalesce(8, true);}</pre>
     */
    default Rdd<T> coalesce(int partitions, boolean shuffle) {
        return shuffle ? repartition(partitions) : coalesce(partitions);
    }

    /** Shuffles the elements evenly over {@code partitions} partitions. <pre>{@code numbers.repartition(8);}</pre> */
    default Rdd<T> repartition(int partitions) {
        return SetOperations.repartition(this, ArgumentChecks.partitions("repartition", partitions));
    }

    /**
     * A dataset of the given partitions in the given order; the remaining partitions are not computed.
     * <pre>{@code lines.pick(List.of(0));}</pre>
     */
    Rdd<T> pick(List<Integer> partitions);

    /**
     * Sorts the elements by the keys that {@code key} computes, ascending, with as many partitions as this dataset.
     * <pre>{@code lines.sortBy(String::length);}</pre>
     */
    default <K> Rdd<T> sortBy(MapFunction<? super T, ? extends K> key) {
        return sortBy(key, true, DefaultPartitioning.partitions(this));
    }

    /**
     * Sorts the elements by the keys that {@code key} computes.
     * <pre>{@code lines.sortBy(String::length, false, 2);}</pre>
     */
    default <K> Rdd<T> sortBy(MapFunction<? super T, ? extends K> key, boolean ascending, int partitions) {
        return this.<K>keyBy(key).sortByKey(ascending, partitions).values();
    }

    /**
     * Samples the elements at random. Without replacement each element is drawn with probability {@code fraction}; with
     * replacement each is drawn {@code fraction} times on average.
     * <pre>{@code numbers.sample(false, 0.1);}</pre>
     */
    default Rdd<T> sample(boolean withReplacement, double fraction) {
        return sample(withReplacement, fraction, ThreadLocalRandom.current().nextLong());
    }

    /**
     * As {@link #sample(boolean, double)}, with a seed: equal seeds draw the same elements.
     * <pre>{@code numbers.sample(true, 1.5, 42);}</pre>
     */
    default Rdd<T> sample(boolean withReplacement, double fraction, long seed) {
        ArgumentChecks.fraction("sample", fraction, withReplacement);
        return mapPartitionsWithIndex(new Sampling<>(withReplacement, fraction, seed), true);
    }

    /**
     * Splits the dataset at random into parts whose sizes are about proportional to the weights.
     * <pre>{@code List<Rdd<Integer>> parts = numbers.randomSplit(0.8, 0.2);}</pre>
     */
    default List<Rdd<T>> randomSplit(double... weights) {
        return randomSplit(weights, ThreadLocalRandom.current().nextLong());
    }

    /**
     * As {@link #randomSplit(double...)}, with a seed: equal seeds give the same parts.
     * <pre>{@code numbers.randomSplit(new double[] {1, 1}, 42);}</pre>
     */
    default List<Rdd<T>> randomSplit(double[] weights, long seed) {
        double total = ArgumentChecks.weights("randomSplit", weights);
        List<Rdd<T>> parts = new ArrayList<>();
        double passed = 0;
        for (int i = 0; i < weights.length; i++) {
            double from = passed / total;
            passed += weights[i];
            double until = i == weights.length - 1 ? 1 : passed / total;
            parts.add(mapPartitionsWithIndex(new Sampling.RandomSlice<>(from, until, seed), true));
        }
        return parts;
    }

    /**
     * Pipes each partition through a process: elements become lines of its input, and lines of its output become
     * elements.
     * <pre>{@code lines.pipe("grep error");}</pre>
     */
    default Rdd<String> pipe(String command) {
        return pipe(Arrays.asList(command.strip().split("\\s+")));
    }

    /**
     * As {@link #pipe(String)}, with a program and its arguments.
     * <pre>{@code lines.pipe(List.of("grep", "an error"));}</pre>
     */
    default Rdd<String> pipe(List<String> command) {
        return pipe(command, Map.of());
    }

    /**
     * As {@link #pipe(List)}, with additional environment variables.
     * <pre>{@code lines.pipe(List.of("env"), Map.of("LANG", "C"));}</pre>
     */
    default Rdd<String> pipe(List<String> command, Map<String, String> environment) {
        return pipe(Command.of(command).with(environment));
    }

    /**
     * As {@link #pipe(List)}, with all options of {@link Command}.
     * <pre>{@code lines.pipe(Command.of(List.of("sort")).inOwnDirectory());}</pre>
     */
    default Rdd<String> pipe(Command command) {
        return pipe(command, new PipeFunction.AsText<>());
    }

    /**
     * As {@link #pipe(Command)}; {@code writing} turns each element into input lines of the process.
     * <pre>{@code numbers.pipe(Command.of(List.of("cat")), (number, to) -> to.accept("n" + number));}</pre>
     */
    default Rdd<String> pipe(Command command, LinesFunction<? super T> writing) {
        return mapPartitionsWithIndex(new PipeFunction<>(command, writing));
    }

    @Override
    default <A> A treeAggregate(
            A zero, AddFunction<A, ? super T> add, ReduceFunction<A> join, int depth, boolean lastOnExecutor) {
        return FoldFunction.treeAggregate(
                this,
                new FoldFunction<>(zero, add),
                join,
                ArgumentChecks.depth("treeAggregate", depth),
                lastOnExecutor);
    }

    /**
     * Makes the stage over this dataset a barrier stage: all its tasks run at the same time.
     * <pre>{@code numbers.barrier().mapPartitions(part -> part);}</pre>
     */
    BarrierRdd<T> barrier();
}
