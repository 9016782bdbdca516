package dev.hearth.api;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleAccumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.Elements;
import dev.hearth.api.accumulator.LongAccumulator;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.function.EstimateFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskContext;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The entry point of an application, as SparkContext in Spark: creates datasets and runs jobs on executors.
 * <p>{@link #builder()} opens a context; {@link #close} releases the executors. Thread-safe.
 */
public interface HearthContext extends JobControl, AutoCloseable {
    /**
     * A builder for the name and settings of a new context.
     * <pre>{@code HearthContext own = HearthContext.builder().name("count").master("local[2]").open();}</pre>
     */
    static Builder builder() {
        return new Builder();
    }

    /**
     * The id under which the cluster knows this application, for example {@code app-20261118094746-0000}.
     * <pre>{@code String id = context.applicationId();}</pre>
     */
    String applicationId();

    /**
     * The application's name, from {@link Builder#name} or a setting.
     * <pre>{@code String name = context.applicationName();}</pre>
     */
    String applicationName();

    /**
     * The master URL this context was opened on, for example {@code local[2]}.
     * <pre>{@code String url = context.master();}</pre>
     */
    String master();

    /** The version of Hearth that runs this application. <pre>{@code String version = context.version();}</pre> */
    String version();

    /** The user who runs this application. <pre>{@code String user = context.user();}</pre> */
    String user();

    /** The driver's resources by name, see {@code hearth.driver.resource}. <pre>{@code context.resources();}</pre> */
    Map<String, ResourceInformation> resources();

    /** The time at which this context was opened. <pre>{@code Duration since = Duration.between(context.startedAt(), Instant.now());}</pre> */
    Instant startedAt();

    /** The jar that contains a class of the application; empty if the class comes from a directory or the JDK. <pre>{@code HearthContext.jarOf(Pair.class).ifPresent(jar -> context.addJar(jar.toString()));}</pre> */
    static Optional<Path> jarOf(Class<?> type) {
        return ClassLocations.jar(type);
    }

    /**
     * The default number of partitions: {@code hearth.default.parallelism}, else the number of cores of the executors.
     * <pre>{@code Rdd<Integer> twice = numbers.repartition(2 * context.defaultParallelism());}</pre>
     */
    int defaultParallelism();

    /**
     * The default for the minimum number of partitions of files: {@link #defaultParallelism}, but at most 2.
     * <pre>{@code int least = context.defaultMinPartitions();}</pre>
     */
    default int defaultMinPartitions() {
        return Math.min(defaultParallelism(), 2);
    }

    /**
     * Whether tasks run in the driver's process.
     * <pre>{@code String directory = context.isLocal() ? "/tmp/parts" : "/shared/parts";}</pre>
     */
    default boolean isLocal() {
        return master().equals("local") || master().startsWith("local[");
    }

    /**
     * Splits {@code elements} into {@code partitions} of nearly equal size; elements must be {@link java.io.Serializable}.
     * <pre>{@code Rdd<Integer> squares = context.parallelize(List.of(1, 2, 3, 4), 2).map(n -> n * n);}</pre>
     */
    <T> Rdd<T> parallelize(List<? extends T> elements, int partitions);

    /** As {@link #parallelize(List, int)}, with {@link #defaultParallelism} partitions. <pre>{@code Rdd<String> names = context.parallelize(List.of("ann", "bob"));}</pre> */
    default <T> Rdd<T> parallelize(List<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /**
     * As {@link #parallelize(List, int)}, with the elements of a stream, which this method closes.
     * <pre>{@code Rdd<Path> files = context.parallelize(Files.list(Path.of("/data")), 4);}</pre>
     */
    default <T> Rdd<T> parallelize(Stream<? extends T> elements, int partitions) {
        try (elements) {
            return parallelize(elements.toList(), partitions);
        }
    }

    /** As {@link #parallelize(Stream, int)}, with {@link #defaultParallelism} partitions. <pre>{@code Rdd<Integer> ten = context.parallelize(Stream.iterate(1, n -> n + 1).limit(10));}</pre> */
    default <T> Rdd<T> parallelize(Stream<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /**
     * As {@link #parallelize(List, int)}, with pairs.
     * <pre>{@code PairRdd<String, Integer> ages = context.parallelizePairs(List.of(Pair.of("ann", 31), Pair.of("bob", 47)), 2);}</pre>
     */
    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs, int partitions) {
        return pairs(this.<Pair<K, V>>parallelize(pairs, partitions));
    }

    /** As {@link #parallelizePairs(List, int)}, with {@link #defaultParallelism} partitions. <pre>{@code PairRdd<String, Integer> ages = context.parallelizePairs(List.of(Pair.of("ann", 31)));}</pre> */
    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs) {
        return parallelizePairs(pairs, defaultParallelism());
    }

    /**
     * As {@link #parallelize(List, int)}, with numbers.
     * <pre>{@code double mean = context.parallelizeDoubles(List.of(1.5, 2.5), 2).mean();}</pre>
     */
    default DoubleRdd parallelizeDoubles(List<Double> numbers, int partitions) {
        return doubles(this.<Double>parallelize(numbers, partitions));
    }

    /** As {@link #parallelizeDoubles(List, int)}, with {@link #defaultParallelism} partitions. <pre>{@code DoubleRdd halves = context.parallelizeDoubles(List.of(0.5, 1.5));}</pre> */
    default DoubleRdd parallelizeDoubles(List<Double> numbers) {
        return parallelizeDoubles(numbers, defaultParallelism());
    }

    /**
     * A dataset that has no partitions and no elements.
     * <pre>{@code Rdd<String> all = context.emptyRdd();
     * for (String path : List.of("a.txt", "b.txt")) {
     *     all = all.union(context.textFile(path));
     * }}</pre>
     */
    <T> Rdd<T> emptyRdd();

    /**
     * The numbers from {@code from} (inclusive) to {@code until} (exclusive) in steps of {@code step}.
     * <pre>{@code long sum = context.range(0, 1_000_000, 2, 8).reduce(Long::sum);}</pre>
     */
    default Rdd<Long> range(long from, long until, long step, int partitions) {
        return NumberRange.of(from, until, step, ArgumentChecks.partitions("range", partitions))
                .in(this);
    }

    /** As {@link #range(long, long, long, int)}, in steps of 1, with {@link #defaultParallelism} partitions. <pre>{@code long sum = context.range(0, 1_000_000).reduce(Long::sum);}</pre> */
    default Rdd<Long> range(long from, long until) {
        return range(from, until, 1, defaultParallelism());
    }

    /**
     * All elements and all partitions of the datasets, with duplicates. If all datasets have the same partitioner,
     * partitions with the same number are merged into one and the result keeps the partitioner.
     * <pre>{@code Rdd<String> year = context.union(List.of(context.textFile("spring"), context.textFile("autumn")));}</pre>
     */
    <T> Rdd<T> union(List<? extends Rdd<? extends T>> datasets);

    /** As {@link #union(List)}, with two datasets. <pre>{@code Rdd<String> twice = context.union(lines, lines);}</pre> */
    default <T> Rdd<T> union(Rdd<? extends T> first, Rdd<? extends T> second) {
        return union(List.of(first, second));
    }

    /** As {@link #union(List)}, with several datasets. <pre>{@code Rdd<String> thrice = context.union(lines, lines, lines);}</pre> */
    @SuppressWarnings("unchecked") // the array is only read
    default <T> Rdd<T> union(Rdd<? extends T> first, Rdd<? extends T>... others) {
        List<Rdd<? extends T>> all = new ArrayList<>();
        all.add(first);
        all.addAll(Arrays.asList(others));
        return union(all);
    }

    /** As {@link #union(List)}, with two datasets of pairs. <pre>{@code PairRdd<String, Integer> both = context.union(counts, counts);}</pre> */
    default <K, V> PairRdd<K, V> union(PairRdd<K, V> first, PairRdd<K, V> second) {
        return unionPairs(List.of(first, second));
    }

    /** As {@link #union(PairRdd, PairRdd)}, with three datasets. <pre>{@code PairRdd<String, Integer> all = context.union(counts, counts, counts);}</pre> */
    default <K, V> PairRdd<K, V> union(PairRdd<K, V> first, PairRdd<K, V> second, PairRdd<K, V> third) {
        return unionPairs(List.of(first, second, third));
    }

    /** As {@link #union(PairRdd, PairRdd)}, with any number of datasets. <pre>{@code PairRdd<String, Integer> all = context.unionPairs(List.of(counts, counts, counts, counts));}</pre> */
    default <K, V> PairRdd<K, V> unionPairs(List<? extends Rdd<Pair<K, V>>> datasets) {
        return pairs(this.<Pair<K, V>>union(datasets));
    }

    /** As {@link #union(List)}, with two datasets of numbers. <pre>{@code DoubleRdd both = context.union(doubles, doubles);}</pre> */
    default DoubleRdd union(DoubleRdd first, DoubleRdd second) {
        return unionDoubles(List.of(first, second));
    }

    /** As {@link #union(DoubleRdd, DoubleRdd)}, with several datasets. <pre>{@code DoubleRdd all = context.union(doubles, doubles, doubles);}</pre> */
    default DoubleRdd union(DoubleRdd first, DoubleRdd... others) {
        List<DoubleRdd> all = new ArrayList<>();
        all.add(first);
        all.addAll(Arrays.asList(others));
        return unionDoubles(all);
    }

    /** As {@link #union(DoubleRdd, DoubleRdd)}, with any number of datasets. <pre>{@code DoubleRdd all = context.unionDoubles(List.of(doubles, doubles, doubles));}</pre> */
    default DoubleRdd unionDoubles(List<? extends Rdd<Double>> datasets) {
        return doubles(this.<Double>union(datasets));
    }

    /**
     * A view of {@code dataset} with the operations of {@link PairRdd}; creating it runs no job and copies nothing.
     * <pre>{@code PairRdd<String, Integer> lengths = context.pairs(lines.map(line -> Pair.of(line, line.length())));}</pre>
     */
    <K, V> PairRdd<K, V> pairs(Rdd<Pair<K, V>> dataset);

    /**
     * A view of {@code dataset} with the operations of {@link DoubleRdd}; creating it runs no job and copies nothing.
     * <pre>{@code double widest = context.doubles(numbers.map(n -> n / 2.0)).max();}</pre>
     */
    DoubleRdd doubles(Rdd<Double> dataset);

    /**
     * Creates one partition per element. The partition's task runs on a preferred host of the element if possible.
     * <pre>{@code Rdd<String> near = context.parallelizeAt(List.of(
     *         new Placed<>("/disk1/a", List.of("host-a")), new Placed<>("/disk1/b", List.of("host-b"))));}</pre>
     */
    <T> Rdd<T> parallelizeAt(List<Placed<T>> elements);

    /**
     * The lines of text files. {@code path} is a file, a directory, a pattern with {@code * ? [] {}}, or several of
     * these separated by commas, on this machine or as URIs of a file store such as {@code hdfs://host/path}. A file suffix such as {@code .gz} selects the decompression. Splittable files are
     * split into at least {@code minPartitions} partitions.
     * <pre>{@code long errors = context.textFile("/logs/*.gz", 16).filter(line -> line.contains("ERROR")).count();}</pre>
     */
    Rdd<String> textFile(String path, int minPartitions);

    /** As {@link #textFile(String, int)}, with at least {@link #defaultMinPartitions} partitions. <pre>{@code Rdd<String> text = context.textFile("/data/words.txt");}</pre> */
    default Rdd<String> textFile(String path) {
        return textFile(path, defaultMinPartitions());
    }

    /**
     * Whole text files, as pairs of path and content; {@code path} as in {@link #textFile}.
     * <pre>{@code PairRdd<String, Integer> sizes = context.wholeTextFiles("/pages", 4).mapValues(String::length);}</pre>
     */
    PairRdd<String, String> wholeTextFiles(String path, int minPartitions);

    /** As {@link #wholeTextFiles(String, int)}, with at least {@link #defaultMinPartitions} partitions. <pre>{@code PairRdd<String, String> pages = context.wholeTextFiles("/pages");}</pre> */
    default PairRdd<String, String> wholeTextFiles(String path) {
        return wholeTextFiles(path, defaultMinPartitions());
    }

    /**
     * Whole files as bytes, in pairs of path and content; {@code path} as in {@link #textFile}.
     * <pre>{@code PairRdd<String, Integer> firstBytes = context.binaryFiles("/images", 4).mapValues(bytes -> (int) bytes[0]);}</pre>
     */
    PairRdd<String, byte[]> binaryFiles(String path, int minPartitions);

    /** As {@link #binaryFiles(String, int)}, with at least {@link #defaultMinPartitions} partitions. <pre>{@code PairRdd<String, byte[]> images = context.binaryFiles("/images");}</pre> */
    default PairRdd<String, byte[]> binaryFiles(String path) {
        return binaryFiles(path, defaultMinPartitions());
    }

    /**
     * As {@link #binaryFiles}, with handles instead of bytes: tasks stream the files, which may be of any size.
     * <pre>{@code Rdd<Integer> firstBytes = context.binaryStreams("/videos", 4).values().map(file -> {
     *     try (InputStream in = file.open()) {
     *         return in.read();
     *     }
     * });}</pre>
     */
    PairRdd<String, BinaryFile> binaryStreams(String path, int minPartitions);

    /** As {@link #binaryStreams(String, int)}, with at least {@link #defaultMinPartitions} partitions. <pre>{@code PairRdd<String, Long> sizes = context.binaryStreams("/videos").mapValues(BinaryFile::length);}</pre> */
    default PairRdd<String, BinaryFile> binaryStreams(String path) {
        return binaryStreams(path, defaultMinPartitions());
    }

    /**
     * The elements that {@link Rdd#saveAsObjectFile} wrote; {@code path} as in {@link #textFile}.
     * <pre>{@code numbers.saveAsObjectFile("/data/numbers");
     * Rdd<Integer> again = context.objectFile("/data/numbers", 4);}</pre>
     */
    <T> Rdd<T> objectFile(String path, int minPartitions);

    /** As {@link #objectFile(String, int)}, with at least {@link #defaultMinPartitions} partitions. <pre>{@code Rdd<Integer> again = context.objectFile("/data/numbers");}</pre> */
    default <T> Rdd<T> objectFile(String path) {
        return objectFile(path, defaultMinPartitions());
    }

    /**
     * Binary records of {@code recordBytes} bytes each; {@code path} as in {@link #textFile}.
     * <pre>{@code Rdd<Long> stamps = context.binaryRecords("/data/stamps.bin", 8)
     *         .map(record -> java.nio.ByteBuffer.wrap(record).getLong());}</pre>
     */
    Rdd<byte[]> binaryRecords(String path, int recordBytes);

    /**
     * Sets the directory that {@link Rdd#checkpoint} writes to; on a cluster all hosts must share it.
     * <pre>{@code context.checkpointDirectory("/shared/checkpoints");
     * counts.checkpoint();}</pre>
     */
    void checkpointDirectory(String directory);

    /** The checkpoint directory, if {@link #checkpointDirectory(String)} or {@code hearth.checkpoint.dir} has set one. <pre>{@code boolean mayCheckpoint = context.checkpointDirectory().isPresent();}</pre> */
    Optional<String> checkpointDirectory();

    /**
     * The persisted datasets that are not yet garbage collected; the keys are their {@link Rdd#id}.
     * <pre>{@code context.persistedDatasets().values().forEach(dataset -> dataset.unpersist());}</pre>
     */
    Map<Integer, Rdd<?>> persistedDatasets();

    /**
     * Reads a dataset that {@link Rdd#checkpoint} wrote in this or an earlier application, with the same partitions.
     * {@code path} is {@code <checkpoint directory>/<application id>/rdd-<dataset id>}.
     * <pre>{@code Rdd<Pair<String, Integer>> saved = context.checkpointFile("/shared/checkpoints/app-1/rdd-7");}</pre>
     */
    <T> Rdd<T> checkpointFile(String path);

    /**
     * Distributes a file to tasks, which get the path of their copy from {@link HearthFiles#path} by the file name.
     * Adding the same file again does nothing; a file with the same name but other content is refused.
     * <pre>{@code context.addFile("/data/stop-words.txt");
     * numbers.foreach(n -> Files.readString(HearthFiles.path("stop-words.txt")));}</pre>
     */
    default void addFile(String path) {
        addFile(path, false);
    }

    /**
     * As {@link #addFile(String)}; if {@code recursive}, {@code path} may be a directory, added with all its content.
     * <pre>{@code context.addFile("/data/model", true);
     * numbers.foreach(n -> Files.readString(HearthFiles.path("model").resolve("weights.txt")));}</pre>
     */
    void addFile(String path, boolean recursive);

    /**
     * As {@link #addFile(String)}, with a zip file that tasks see as a directory; a suffix {@code #name} renames it.
     * <pre>{@code context.addArchive("/data/dictionaries.zip#words");
     * numbers.foreach(n -> Files.readString(HearthFiles.path("words").resolve("en.txt")));}</pre>
     */
    void addArchive(String path);

    /**
     * Adds a jar to the context class loader of tasks that start after this call.
     * <pre>{@code context.addJar("/plugins/scoring.jar");
     * numbers.foreach(n -> Class.forName("plugin.Scoring", true, Thread.currentThread().getContextClassLoader()));}</pre>
     */
    void addJar(String path);

    /**
     * The names of all added files and directories, in the order of their addition.
     * <pre>{@code boolean there = context.listFiles().contains("stop-words.txt");}</pre>
     */
    List<String> listFiles();

    /**
     * The names of all added archives, in the order of their addition.
     * <pre>{@code List<String> archives = context.listArchives();}</pre>
     */
    List<String> listArchives();

    /**
     * The names of all added jars, in the order of their addition.
     * <pre>{@code List<String> jars = context.listJars();}</pre>
     */
    List<String> listJars();

    /**
     * The driver's path of an added file or archive; fails for other names. Tasks call {@link HearthFiles#path}.
     * <pre>{@code Rdd<String> shouted = lines.pipe(List.of(context.attached("shout.sh").toString()));}</pre>
     */
    Path attached(String name);

    /**
     * Creates a broadcast variable: each executor fetches {@code value}, which must be serialisable, once.
     * <pre>{@code Broadcast<Set<String>> stopped = context.broadcast(new HashSet<>(List.of("a", "the")));
     * Rdd<String> kept = lines.filter(word -> !stopped.value().contains(word));}</pre>
     */
    <T> Broadcast<T> broadcast(T value);

    /**
     * Creates an accumulator whose state and merge function are those of {@code kind}. The web pages and events show it
     * under {@code name}, unless the name is empty.
     * <pre>{@code Accumulator<Long, Long> bytes = context.accumulator("bytes", new LongSum());
     * lines.foreach(line -> bytes.add((long) line.length()));}</pre>
     */
    <T, R> Accumulator<T, R> accumulator(String name, Accumulation<T, R> kind);

    /** As {@link #accumulator(String, Accumulation)}, without a name. <pre>{@code Accumulator<Long, Long> bytes = context.accumulator(new LongSum());}</pre> */
    default <T, R> Accumulator<T, R> accumulator(Accumulation<T, R> kind) {
        return accumulator("", kind);
    }

    /**
     * Creates an accumulator that sums integers.
     * <pre>{@code LongAccumulator blank = context.longAccumulator("blank lines");
     * lines.foreach(line -> blank.add(line.isBlank() ? 1 : 0));}</pre>
     */
    default LongAccumulator longAccumulator(String name) {
        return (LongAccumulator) accumulator(name, new LongSum());
    }

    /** As {@link #longAccumulator(String)}, without a name. <pre>{@code LongAccumulator seen = context.longAccumulator();}</pre> */
    default LongAccumulator longAccumulator() {
        return longAccumulator("");
    }

    /**
     * Creates an accumulator that sums doubles.
     * <pre>{@code DoubleAccumulator weight = context.doubleAccumulator("weight");}</pre>
     */
    default DoubleAccumulator doubleAccumulator(String name) {
        return (DoubleAccumulator) accumulator(name, new DoubleSum());
    }

    /** As {@link #doubleAccumulator(String)}, without a name. <pre>{@code DoubleAccumulator weight = context.doubleAccumulator();}</pre> */
    default DoubleAccumulator doubleAccumulator() {
        return doubleAccumulator("");
    }

    /**
     * Creates an accumulator that collects all added elements, in no particular order.
     * <pre>{@code Accumulator<String, List<String>> bad = context.collectingAccumulator("bad lines");
     * lines.filter(String::isBlank).foreach(bad::add);}</pre>
     */
    default <T> Accumulator<T, List<T>> collectingAccumulator(String name) {
        return accumulator(name, new Elements<T>());
    }

    /** As {@link #collectingAccumulator(String)}, without a name. <pre>{@code Accumulator<String, List<String>> bad = context.collectingAccumulator();}</pre> */
    default <T> Accumulator<T, List<T>> collectingAccumulator() {
        return collectingAccumulator("");
    }

    /**
     * Runs {@code function} over the given partitions of {@code dataset} and returns the results in the given order.
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
     * Runs {@code function} over all partitions. When {@code timeout} expires, {@code estimate} computes a result from
     * the tasks that have finished.
     * <pre>{@code PartialResult<Integer> parts = context.runApproximateJob(
     *         numbers, (task, part) -> 1, (found, tasks) -> found.size(), Duration.ofSeconds(2));}</pre>
     */
    default <T, S, R> PartialResult<R> runApproximateJob(
            Rdd<T> dataset, TaskFunction<T, S> function, EstimateFunction<S, R> estimate, Duration timeout) {
        return dataset.approximate(function, estimate, timeout);
    }

    /**
     * The settings of this context, except those that contain secrets.
     * <pre>{@code String memory = context.settings().getOrDefault("hearth.executor.memory", "1g");}</pre>
     */
    Map<String, String> settings();

    /**
     * Calls {@code listener} for each later event, in order. Each listener has its own thread, so none delays another.
     * <pre>{@code ApplicationListener failures = event -> {
     *     if (event instanceof ApplicationEvent.JobEnded ended && !ended.failure().isEmpty()) System.err.println(ended);
     * };
     * context.addListener(failures);}</pre>
     */
    void addListener(ApplicationListener listener);

    /**
     * Stops calling {@code listener}.
     * <pre>{@code ApplicationListener all = event -> System.err.println(event);
     * context.addListener(all);
     * lines.count();
     * context.removeListener(all);}</pre>
     */
    void removeListener(ApplicationListener listener);

    /**
     * Fails the running jobs, releases the executors, and returns when both are done. Later calls do nothing.
     * <pre>{@code HearthContext own = HearthContext.builder().name("count").master("local[2]").open();
     * try {
     *     own.textFile("/data/words.txt").count();
     * } finally {
     *     own.close();
     * }}</pre>
     */
    @Override
    void close();

    /** Collects name and settings of a new context; they override those of the command line. Owned by one thread. */
    final class Builder {
        private String name = "";
        private final Map<String, String> settings = new LinkedHashMap<>();

        private Builder() {}

        /** Sets the application's name, as logs and web pages show it. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** Sets any setting, for example {@code hearth.default.parallelism}; the last value of a key wins. */
        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** Sets the master URL, for example {@code local[2]}; the default is the launcher's master URL. */
        public Builder master(String url) {
            return setting("hearth.master", url);
        }

        /** The name set so far, or empty. <pre>{@code String name = HearthContext.builder().name("count").name();}</pre> */
        public String name() {
            return name;
        }

        /**
         * The value set so far for a key, or empty; {@code spark.x} and {@code hearth.x} are the same key.
         * <pre>{@code String memory = HearthContext.builder().setting("hearth.executor.memory").orElse("1g");}</pre>
         */
        public Optional<String> setting(String key) {
            return spellings(key)
                    .filter(settings::containsKey)
                    .map(settings::get)
                    .findFirst();
        }

        /** A copy of all settings set so far; keys keep the prefix, {@code spark.} or {@code hearth.}, that the caller wrote. <pre>{@code int count = HearthContext.builder().settings().size();}</pre> */
        public Map<String, String> settings() {
            return new LinkedHashMap<>(settings);
        }

        /** Sets a setting unless this builder already has a value for it. <pre>{@code HearthContext.builder().settingIfMissing("hearth.master", "local[2]");}</pre> */
        public Builder settingIfMissing(String key, String value) {
            return setting(key).isPresent() ? this : setting(key, value);
        }

        /** Removes a setting. <pre>{@code HearthContext.builder().master("local").without("hearth.master");}</pre> */
        public Builder without(String key) {
            spellings(key).forEach(settings::remove);
            return this;
        }

        /** A new builder with the name and settings of this builder. <pre>{@code HearthContext.Builder other = HearthContext.builder().name("count").copy();}</pre> */
        public Builder copy() {
            Builder copy = new Builder().name(name);
            copy.settings.putAll(settings);
            return copy;
        }

        private static Stream<String> spellings(String key) {
            return key.startsWith("spark.")
                    ? Stream.of(key, "hearth." + key.substring("spark.".length()))
                    : key.startsWith("hearth.")
                            ? Stream.of(key, "spark." + key.substring("hearth.".length()))
                            : Stream.of(key);
        }

        /** Opens the context and waits until the cluster manager has accepted the application. */
        public HearthContext open() {
            if (TaskContext.find().isPresent()) {
                throw new HearthException(
                        "WRONG_THREAD",
                        "context: opened inside a task (expected: on the driver); tasks cannot run jobs: broadcast or join"
                                + " what they need");
            }
            return ContextHolder.provider().open(new ContextRequest(name, settings));
        }
    }
}
