package dev.hearth.api;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.Elements;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.function.EstimateFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.api.launch.ContextRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An application's hold on its executors: makes datasets and runs jobs over them.
 * <p>Opened through {@link #builder()}; closing it gives the executors back. Safe for use by any thread of the application.
 */
public interface HearthContext extends AutoCloseable {
    static Builder builder() {
        return new Builder();
    }

    /** The id under which the cluster knows this application, for example {@code app-20261118094746-0000}. */
    String applicationId();

    String applicationName();

    /** The master URL this context was opened on, for example {@code local[2]}. */
    String master();

    /** How many tasks can run at once, as far as it is known; the number of partitions used where none is given. */
    int defaultParallelism();

    /** The least number of partitions of files where none is given. */
    default int defaultMinPartitions() {
        return Math.min(defaultParallelism(), 2);
    }

    /** Whether tasks run in this process. */
    default boolean isLocal() {
        return master().equals("local") || master().startsWith("local[");
    }

    /** Cuts {@code elements} into {@code partitions} of nearly equal size; elements must be {@link java.io.Serializable}. */
    <T> Rdd<T> parallelize(List<? extends T> elements, int partitions);

    default <T> Rdd<T> parallelize(List<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /** {@link #parallelize} of pairs. */
    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs, int partitions) {
        return pairs(this.<Pair<K, V>>parallelize(pairs, partitions));
    }

    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs) {
        return parallelizePairs(pairs, defaultParallelism());
    }

    /** {@link #parallelize} of numbers. */
    default DoubleRdd parallelizeDoubles(List<Double> numbers, int partitions) {
        return doubles(this.<Double>parallelize(numbers, partitions));
    }

    default DoubleRdd parallelizeDoubles(List<Double> numbers) {
        return parallelizeDoubles(numbers, defaultParallelism());
    }

    /** A dataset without partitions. */
    <T> Rdd<T> emptyRdd();

    /** The numbers from {@code from} up to, and without, {@code until}, by {@code step}; made by the tasks. */
    default Rdd<Long> range(long from, long until, long step, int partitions) {
        return NumberRange.of(from, until, step, Arguments.partitions("range", partitions))
                .in(this);
    }

    default Rdd<Long> range(long from, long until) {
        return range(from, until, 1, defaultParallelism());
    }

    /** All elements of all, repeated as they are; partitions one after the other. Pairs spread alike stay so. */
    <T> Rdd<T> union(List<? extends Rdd<? extends T>> datasets);

    @SuppressWarnings("unchecked") // given as a list at once
    default <T> Rdd<T> union(Rdd<? extends T> first, Rdd<? extends T>... others) {
        List<Rdd<? extends T>> all = new ArrayList<>();
        all.add(first);
        all.addAll(Arrays.asList(others));
        return union(all);
    }

    /** The same dataset with the operations of pairs; costs nothing. */
    <K, V> PairRdd<K, V> pairs(Rdd<Pair<K, V>> dataset);

    /** The same dataset with the operations of numbers; costs nothing. */
    DoubleRdd doubles(Rdd<Double> dataset);

    /** One partition per element, each with hosts where its task would best run. */
    <T> Rdd<T> parallelizeAt(List<Placed<T>> elements);

    /**
     * Lines of text files: {@code path} is a file, a directory, a pattern with {@code * ? [] {}}, or several with commas
     * between; compressed by suffix. Files are cut at line ends into at least {@code minPartitions} where they can be.
     */
    Rdd<String> textFile(String path, int minPartitions);

    default Rdd<String> textFile(String path) {
        return textFile(path, defaultMinPartitions());
    }

    /** Whole text files, as pairs of path and content; paths as for {@link #textFile}. */
    PairRdd<String, String> wholeTextFiles(String path, int minPartitions);

    default PairRdd<String, String> wholeTextFiles(String path) {
        return wholeTextFiles(path, defaultMinPartitions());
    }

    /** Whole files, as pairs of path and content; paths as for {@link #textFile}. */
    PairRdd<String, byte[]> binaryFiles(String path, int minPartitions);

    default PairRdd<String, byte[]> binaryFiles(String path) {
        return binaryFiles(path, defaultMinPartitions());
    }

    /** What {@link Rdd#saveAsObjectFile} wrote; paths as for {@link #textFile}. */
    <T> Rdd<T> objectFile(String path, int minPartitions);

    default <T> Rdd<T> objectFile(String path) {
        return objectFile(path, defaultMinPartitions());
    }

    /** Records of {@code recordBytes} each, as bytes; paths as for {@link #textFile}. */
    Rdd<byte[]> binaryRecords(String path, int recordBytes);

    /** Where {@link Rdd#checkpoint} writes; on a cluster a directory that all its hosts see. */
    void checkpointDirectory(String directory);

    /** Lets tasks read {@code value}, which every process gets once; it must be {@link java.io.Serializable}. */
    <T> Broadcast<T> broadcast(T value);

    /** An accumulator of a kind of its own, shown under {@code name} unless that is empty. */
    <T, R> Accumulator<T, R> accumulator(String name, Accumulation<T, R> kind);

    default Accumulator<Long, Long> longAccumulator(String name) {
        return accumulator(name, new LongSum());
    }

    default Accumulator<Double, Double> doubleAccumulator(String name) {
        return accumulator(name, new DoubleSum());
    }

    default <T> Accumulator<T, List<T>> collectingAccumulator(String name) {
        return accumulator(name, new Elements<T>());
    }

    /** Runs {@code function} over the named partitions, and returns their results in that order. */
    <T, R> List<R> runJob(Rdd<T> dataset, TaskFunction<T, R> function, List<Integer> partitions);

    /** As {@link #runJob}, without waiting. */
    <T, R> JobFuture<List<R>> submitJob(Rdd<T> dataset, TaskFunction<T, R> function, List<Integer> partitions);

    /** What {@code estimate} makes of those results of {@code function} that are there after {@code timeout}. */
    default <T, S, R> PartialResult<R> runApproximateJob(
            Rdd<T> dataset, TaskFunction<T, S> function, EstimateFunction<S, R> estimate, Duration timeout) {
        return dataset.approximate(function, estimate, timeout);
    }

    /** The settings this context was opened with, secrets left out. */
    Map<String, String> settings();

    /** Sets a property that the jobs of this thread, and of threads it starts from now on, carry to their tasks; null removes it. */
    void localProperty(String key, @Nullable String value);

    Optional<String> localProperty(String key);

    /** The jobs this thread starts from now on belong to group {@code id}, until another is set or it is cleared. */
    void jobGroup(String id, String description, boolean interruptOnCancel);

    void clearJobGroup();

    /** What the jobs this thread starts from now on are shown as. */
    void jobDescription(@Nullable String description);

    /** Where the user's code the jobs of this thread come from is shown to be; null: found on the stack. */
    void callSite(@Nullable String shown);

    void addJobTag(String tag);

    void removeJobTag(String tag);

    Set<String> jobTags();

    void clearJobTags();

    void cancelJob(int job, String reason);

    /** Ends every job that needs the stage. */
    void cancelStage(int stage, String reason);

    /** Ends the running jobs of a group; with {@code futureJobs} those it will start as well. */
    void cancelJobGroup(String group, String reason, boolean futureJobs);

    void cancelJobsWithTag(String tag, String reason);

    void cancelAllJobs(String reason);

    /** Ends one attempt, which is tried again and counts no failure; tells whether it was running. */
    boolean killTask(long task, boolean interrupt, String reason);

    StatusTracker statusTracker();

    /** Tells {@code listener} everything from now on, in order, on a thread of its own. A slow one delays nobody else. */
    void addListener(ApplicationListener listener);

    void removeListener(ApplicationListener listener);

    /** Ends running jobs with an error, gives executors back, and waits until that is done. Later calls do nothing. */
    @Override
    void close();

    /** Collects what a context is opened with. A setting given here ranks above the command line's. */
    final class Builder {
        private String name = "";
        private final Map<String, String> settings = new LinkedHashMap<>();

        private Builder() {}

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** Where to run, for example {@code local[2]}; without it, what the launcher was told. */
        public Builder master(String url) {
            return setting("hearth.master", url);
        }

        public HearthContext open() {
            return ContextHolder.provider().open(new ContextRequest(name, settings));
        }
    }
}
