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
import java.nio.file.Path;
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

    /**
     * The id under which the cluster knows this application, for example {@code app-20261118094746-0000}.
     * <pre>{@code String id = context.applicationId();}</pre>
     */
    String applicationId();

    /**
     * The name that was given to {@link Builder#name}, or set.
     * <pre>{@code String name = context.applicationName();}</pre>
     */
    String applicationName();

    /**
     * The master URL this context was opened on, for example {@code local[2]}.
     * <pre>{@code String url = context.master();}</pre>
     */
    String master();

    /**
     * How many tasks can run at once, as far as it is known; the number of partitions used where none is given.
     * <pre>{@code Rdd<Integer> twice = numbers.repartition(2 * context.defaultParallelism());}</pre>
     */
    int defaultParallelism();

    /**
     * The least number of partitions of files where none is given.
     * <pre>{@code int least = context.defaultMinPartitions();}</pre>
     */
    default int defaultMinPartitions() {
        return Math.min(defaultParallelism(), 2);
    }

    /**
     * Whether tasks run in this process.
     * <pre>{@code String directory = context.isLocal() ? "/tmp/parts" : "/shared/parts";}</pre>
     */
    default boolean isLocal() {
        return master().equals("local") || master().startsWith("local[");
    }

    /**
     * Cuts {@code elements} into {@code partitions} of nearly equal size; elements must be {@link java.io.Serializable}.
     * <pre>{@code Rdd<Integer> squares = context.parallelize(List.of(1, 2, 3, 4), 2).map(n -> n * n);}</pre>
     */
    <T> Rdd<T> parallelize(List<? extends T> elements, int partitions);

    default <T> Rdd<T> parallelize(List<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /**
     * {@link #parallelize} of pairs.
     * <pre>{@code PairRdd<String, Integer> ages = context.parallelizePairs(List.of(Pair.of("ann", 31), Pair.of("bob", 47)), 2);}</pre>
     */
    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs, int partitions) {
        return pairs(this.<Pair<K, V>>parallelize(pairs, partitions));
    }

    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs) {
        return parallelizePairs(pairs, defaultParallelism());
    }

    /**
     * {@link #parallelize} of numbers.
     * <pre>{@code double mean = context.parallelizeDoubles(List.of(1.5, 2.5), 2).mean();}</pre>
     */
    default DoubleRdd parallelizeDoubles(List<Double> numbers, int partitions) {
        return doubles(this.<Double>parallelize(numbers, partitions));
    }

    default DoubleRdd parallelizeDoubles(List<Double> numbers) {
        return parallelizeDoubles(numbers, defaultParallelism());
    }

    /**
     * A dataset without partitions.
     * <pre>{@code Rdd<String> all = context.emptyRdd();
     * for (String path : List.of("a.txt", "b.txt")) {
     *     all = all.union(context.textFile(path));
     * }}</pre>
     */
    <T> Rdd<T> emptyRdd();

    /**
     * The numbers from {@code from} up to, and without, {@code until}, by {@code step}; made by the tasks.
     * <pre>{@code long sum = context.range(0, 1_000_000, 2, 8).reduce(Long::sum);}</pre>
     */
    default Rdd<Long> range(long from, long until, long step, int partitions) {
        return NumberRange.of(from, until, step, Arguments.partitions("range", partitions))
                .in(this);
    }

    default Rdd<Long> range(long from, long until) {
        return range(from, until, 1, defaultParallelism());
    }

    /**
     * All elements of all, repeated as they are; partitions one after the other. Pairs spread alike stay so.
     * <pre>{@code Rdd<String> year = context.union(List.of(context.textFile("spring"), context.textFile("autumn")));}</pre>
     */
    <T> Rdd<T> union(List<? extends Rdd<? extends T>> datasets);

    @SuppressWarnings("unchecked") // given as a list at once
    default <T> Rdd<T> union(Rdd<? extends T> first, Rdd<? extends T>... others) {
        List<Rdd<? extends T>> all = new ArrayList<>();
        all.add(first);
        all.addAll(Arrays.asList(others));
        return union(all);
    }

    /**
     * The same dataset with the operations of pairs; costs nothing.
     * <pre>{@code PairRdd<String, Integer> lengths = context.pairs(lines.map(line -> Pair.of(line, line.length())));}</pre>
     */
    <K, V> PairRdd<K, V> pairs(Rdd<Pair<K, V>> dataset);

    /**
     * The same dataset with the operations of numbers; costs nothing.
     * <pre>{@code double widest = context.doubles(numbers.map(n -> n / 2.0)).max();}</pre>
     */
    DoubleRdd doubles(Rdd<Double> dataset);

    /**
     * One partition per element, each with hosts where its task would best run.
     * <pre>{@code Rdd<String> near = context.parallelizeAt(List.of(
     *         new Placed<>("/disk1/a", List.of("host-a")), new Placed<>("/disk1/b", List.of("host-b"))));}</pre>
     */
    <T> Rdd<T> parallelizeAt(List<Placed<T>> elements);

    /**
     * * Lines of text files: {@code path} is a file, a directory, a pattern with {@code * ? [] {}}, or several with commas
     * between; compressed by suffix. Files are cut at line ends into at least {@code minPartitions} where they can be.
     * <pre>{@code long errors = context.textFile("/logs/*.gz", 16).filter(line -> line.contains("ERROR")).count();}</pre>
     */
    Rdd<String> textFile(String path, int minPartitions);

    default Rdd<String> textFile(String path) {
        return textFile(path, defaultMinPartitions());
    }

    /**
     * Whole text files, as pairs of path and content; paths as for {@link #textFile}.
     * <pre>{@code PairRdd<String, Integer> sizes = context.wholeTextFiles("/pages", 4).mapValues(String::length);}</pre>
     */
    PairRdd<String, String> wholeTextFiles(String path, int minPartitions);

    default PairRdd<String, String> wholeTextFiles(String path) {
        return wholeTextFiles(path, defaultMinPartitions());
    }

    /**
     * Whole files, as pairs of path and content; paths as for {@link #textFile}.
     * <pre>{@code PairRdd<String, Integer> firstBytes = context.binaryFiles("/images", 4).mapValues(bytes -> (int) bytes[0]);}</pre>
     */
    PairRdd<String, byte[]> binaryFiles(String path, int minPartitions);

    default PairRdd<String, byte[]> binaryFiles(String path) {
        return binaryFiles(path, defaultMinPartitions());
    }

    /**
     * What {@link Rdd#saveAsObjectFile} wrote; paths as for {@link #textFile}.
     * <pre>{@code numbers.saveAsObjectFile("/data/numbers");
     * Rdd<Integer> again = context.objectFile("/data/numbers", 4);}</pre>
     */
    <T> Rdd<T> objectFile(String path, int minPartitions);

    default <T> Rdd<T> objectFile(String path) {
        return objectFile(path, defaultMinPartitions());
    }

    /**
     * Records of {@code recordBytes} each, as bytes; paths as for {@link #textFile}.
     * <pre>{@code Rdd<Long> stamps = context.binaryRecords("/data/stamps.bin", 8)
     *         .map(record -> java.nio.ByteBuffer.wrap(record).getLong());}</pre>
     */
    Rdd<byte[]> binaryRecords(String path, int recordBytes);

    /**
     * Where {@link Rdd#checkpoint} writes; on a cluster a directory that all its hosts see.
     * <pre>{@code context.checkpointDirectory("/shared/checkpoints");
     * counts.checkpoint();}</pre>
     */
    void checkpointDirectory(String directory);

    /**
     * * What {@link Rdd#checkpoint} has written, in its partitions, for a later application as well: {@code path} is the directory
     * set, below it the application's id and {@code rdd-} with the dataset's.
     * <pre>{@code Rdd<Pair<String, Integer>> saved = context.checkpointFile("/shared/checkpoints/app-1/rdd-7");}</pre>
     */
    <T> Rdd<T> checkpointFile(String path);

    /**
     * * Gives tasks a copy of a file, found by {@link HearthFiles#path} under its name. A name stands for one content: the same
     * file again changes nothing, another of that name is refused.
     * <pre>{@code context.addFile("/data/stop-words.txt");
     * numbers.foreach(n -> Files.readString(HearthFiles.path("stop-words.txt")));}</pre>
     */
    default void addFile(String path) {
        addFile(path, false);
    }

    /**
     * As {@link #addFile(String)}; with {@code recursive} a directory with all that is in it.
     * <pre>{@code context.addFile("/data/model", true);
     * numbers.foreach(n -> Files.readString(HearthFiles.path("model").resolve("weights.txt")));}</pre>
     */
    void addFile(String path, boolean recursive);

    /**
     * As {@link #addFile(String)}, for a zip that tasks find unpacked: under its name, or under what follows a {@code #}.
     * <pre>{@code context.addArchive("/data/dictionaries.zip#words");
     * numbers.foreach(n -> Files.readString(HearthFiles.path("words").resolve("en.txt")));}</pre>
     */
    void addArchive(String path);

    /**
     * Lets tasks from now on find the classes of a jar, by the class loader of their thread.
     * <pre>{@code context.addJar("/plugins/scoring.jar");
     * numbers.foreach(n -> Class.forName("plugin.Scoring", true, Thread.currentThread().getContextClassLoader()));}</pre>
     */
    void addJar(String path);

    /**
     * The names of all files and directories that were added, in that order.
     * <pre>{@code boolean there = context.listFiles().contains("stop-words.txt");}</pre>
     */
    List<String> listFiles();

    /**
     * The names of all archives that were added, in that order.
     * <pre>{@code List<String> archives = context.listArchives();}</pre>
     */
    List<String> listArchives();

    /**
     * The names of all jars that were added, in that order.
     * <pre>{@code List<String> jars = context.listJars();}</pre>
     */
    List<String> listJars();

    /**
     * Where the driver's process has what was added under {@code name}; tasks ask {@link HearthFiles#path}.
     * <pre>{@code Rdd<String> shouted = lines.pipe(List.of(context.attached("shout.sh").toString()));}</pre>
     */
    Path attached(String name);

    /**
     * Lets tasks read {@code value}, which every process gets once; it must be {@link java.io.Serializable}.
     * <pre>{@code Broadcast<Set<String>> stopped = context.broadcast(new HashSet<>(List.of("a", "the")));
     * Rdd<String> kept = lines.filter(word -> !stopped.value().contains(word));}</pre>
     */
    <T> Broadcast<T> broadcast(T value);

    /**
     * An accumulator of a kind of its own, shown under {@code name} unless that is empty.
     * <pre>{@code Accumulator<Long, Long> bytes = context.accumulator("bytes", new LongSum());
     * lines.foreach(line -> bytes.add((long) line.length()));}</pre>
     */
    <T, R> Accumulator<T, R> accumulator(String name, Accumulation<T, R> kind);

    /**
     * A sum of whole numbers.
     * <pre>{@code Accumulator<Long, Long> blank = context.longAccumulator("blank lines");
     * lines.foreach(line -> blank.add(line.isBlank() ? 1L : 0L));}</pre>
     */
    default Accumulator<Long, Long> longAccumulator(String name) {
        return accumulator(name, new LongSum());
    }

    /**
     * A sum of numbers.
     * <pre>{@code Accumulator<Double, Double> weight = context.doubleAccumulator("weight");}</pre>
     */
    default Accumulator<Double, Double> doubleAccumulator(String name) {
        return accumulator(name, new DoubleSum());
    }

    /**
     * All that tasks add, in no particular order.
     * <pre>{@code Accumulator<String, List<String>> bad = context.collectingAccumulator("bad lines");
     * lines.filter(String::isBlank).foreach(bad::add);}</pre>
     */
    default <T> Accumulator<T, List<T>> collectingAccumulator(String name) {
        return accumulator(name, new Elements<T>());
    }

    /**
     * Runs {@code function} over the named partitions, and returns their results in that order.
     * <pre>{@code List<Integer> sizes = context.runJob(numbers, (task, part) -> {
     *     int size = 0;
     *     for (; part.hasNext(); part.next()) size++;
     *     return size;
     * }, List.of(0, 1));}</pre>
     */
    <T, R> List<R> runJob(Rdd<T> dataset, TaskFunction<T, R> function, List<Integer> partitions);

    /**
     * As {@link #runJob}, without waiting.
     * <pre>{@code JobFuture<List<Integer>> first = context.submitJob(numbers, (task, part) -> part.next(), List.of(0));
     * int found = first.get().get(0);}</pre>
     */
    <T, R> JobFuture<List<R>> submitJob(Rdd<T> dataset, TaskFunction<T, R> function, List<Integer> partitions);

    /**
     * What {@code estimate} makes of those results of {@code function} that are there after {@code timeout}.
     * <pre>{@code PartialResult<Integer> parts = context.runApproximateJob(
     *         numbers, (task, part) -> 1, (found, tasks) -> found.size(), Duration.ofSeconds(2));}</pre>
     */
    default <T, S, R> PartialResult<R> runApproximateJob(
            Rdd<T> dataset, TaskFunction<T, S> function, EstimateFunction<S, R> estimate, Duration timeout) {
        return dataset.approximate(function, estimate, timeout);
    }

    /**
     * The settings this context was opened with, secrets left out.
     * <pre>{@code String memory = context.settings().getOrDefault("hearth.executor.memory", "1g");}</pre>
     */
    Map<String, String> settings();

    /**
     * Sets a property that the jobs of this thread, and of threads it starts from now on, carry to their tasks; null removes it.
     * <pre>{@code context.localProperty("hearth.scheduler.pool", "reports");
     * Optional<String> pool = context.localProperty("hearth.scheduler.pool");}</pre>
     */
    void localProperty(String key, @Nullable String value);

    /**
     * What {@link #localProperty(String, String)} has set for this thread.
     * <pre>{@code String tenant = context.localProperty("tenant").orElse("nobody");}</pre>
     */
    Optional<String> localProperty(String key);

    /**
     * The jobs this thread starts from now on belong to group {@code id}, until another is set or it is cleared.
     * <pre>{@code context.jobGroup("nightly", "what runs at night", true);
     * JobFuture<Long> counting = lines.countAsync();
     * context.cancelJobGroup("nightly", "it is morning", false);}</pre>
     */
    void jobGroup(String id, String description, boolean interruptOnCancel);

    /**
     * The jobs this thread starts from now on belong to no group.
     * <pre>{@code context.clearJobGroup();}</pre>
     */
    void clearJobGroup();

    /**
     * What the jobs this thread starts from now on are shown as.
     * <pre>{@code context.jobDescription("how many lines there are");
     * lines.count();}</pre>
     */
    void jobDescription(@Nullable String description);

    /**
     * Where the user's code the jobs of this thread come from is shown to be; null: found on the stack.
     * <pre>{@code context.callSite("report.sql:12");}</pre>
     */
    void callSite(@Nullable String shown);

    /**
     * The jobs this thread starts from now on have this tag beside those they have.
     * <pre>{@code context.addJobTag("report");
     * lines.count();
     * context.removeJobTag("report");}</pre>
     */
    void addJobTag(String tag);

    /**
     * The jobs this thread starts from now on do without this tag.
     * <pre>{@code context.removeJobTag("report");}</pre>
     */
    void removeJobTag(String tag);

    /**
     * The tags of the jobs this thread starts.
     * <pre>{@code boolean tagged = context.jobTags().contains("report");}</pre>
     */
    Set<String> jobTags();

    /**
     * The jobs this thread starts from now on have no tags.
     * <pre>{@code context.clearJobTags();}</pre>
     */
    void clearJobTags();

    /**
     * Ends a running job; who waits for it hears the reason.
     * <pre>{@code JobFuture<Long> counting = lines.countAsync();
     * counting.jobs().forEach(job -> context.cancelJob(job, "no longer needed"));}</pre>
     */
    void cancelJob(int job, String reason);

    /**
     * Ends every job that needs the stage.
     * <pre>{@code context.statusTracker().activeStages().forEach(stage -> context.cancelStage(stage, "too slow"));}</pre>
     */
    void cancelStage(int stage, String reason);

    /**
     * Ends the running jobs of a group; with {@code futureJobs} those it will start as well.
     * <pre>{@code context.cancelJobGroup("nightly", "it is morning", true);}</pre>
     */
    void cancelJobGroup(String group, String reason, boolean futureJobs);

    /**
     * Ends the running jobs that have a tag.
     * <pre>{@code context.cancelJobsWithTag("report", "its reader has left");}</pre>
     */
    void cancelJobsWithTag(String tag, String reason);

    /**
     * Ends all running jobs.
     * <pre>{@code context.cancelAllJobs("the program ends");}</pre>
     */
    void cancelAllJobs(String reason);

    /**
     * Ends one attempt, which is tried again and counts no failure; tells whether it was running.
     * <pre>{@code boolean wasRunning = context.killTask(17, true, "it hangs");}</pre>
     */
    boolean killTask(long task, boolean interrupt, String reason);

    /**
     * What jobs, stages and executors do.
     * <pre>{@code List<Integer> running = context.statusTracker().activeJobs();}</pre>
     */
    StatusTracker statusTracker();

    /**
     * Tells {@code listener} everything from now on, in order, on a thread of its own. A slow one delays nobody else.
     * <pre>{@code ApplicationListener failures = event -> {
     *     if (event instanceof ApplicationEvent.JobEnded ended && !ended.failure().isEmpty()) System.err.println(ended);
     * };
     * context.addListener(failures);}</pre>
     */
    void addListener(ApplicationListener listener);

    /**
     * Tells {@code listener} nothing any more.
     * <pre>{@code ApplicationListener all = event -> System.err.println(event);
     * context.addListener(all);
     * lines.count();
     * context.removeListener(all);}</pre>
     */
    void removeListener(ApplicationListener listener);

    /**
     * Ends running jobs with an error, gives executors back, and waits until that is done. Later calls do nothing.
     * <pre>{@code HearthContext own = HearthContext.builder().name("count").master("local[2]").open();
     * try {
     *     own.textFile("/data/words.txt").count();
     * } finally {
     *     own.close();
     * }}</pre>
     */
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
