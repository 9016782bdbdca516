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
 * An application's hold on its executors: makes datasets and runs jobs over them.
 * <p>Opened through {@link #builder()}; closing it gives the executors back. Safe for use by any thread of the application.
 */
public interface HearthContext extends JobControl, AutoCloseable {
    /**
     * Collects what a context is opened with.
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
     * The name that was given to {@link Builder#name}, or set.
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

    /** Who runs this application. <pre>{@code String user = context.user();}</pre> */
    String user();

    /** When this context was opened. <pre>{@code Duration since = Duration.between(context.startedAt(), Instant.now());}</pre> */
    Instant startedAt();

    /** The jar that a class of the application comes from, where it is one. <pre>{@code HearthContext.jarOf(Pair.class).ifPresent(jar -> context.addJar(jar.toString()));}</pre> */
    static Optional<Path> jarOf(Class<?> type) {
        return ClassPlaces.jar(type);
    }

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

    /** As the other, over {@link #defaultParallelism} partitions. <pre>{@code Rdd<String> names = context.parallelize(List.of("ann", "bob"));}</pre> */
    default <T> Rdd<T> parallelize(List<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /**
     * As the other, of all that a stream has, which is closed.
     * <pre>{@code Rdd<Path> files = context.parallelize(Files.list(Path.of("/data")), 4);}</pre>
     */
    default <T> Rdd<T> parallelize(Stream<? extends T> elements, int partitions) {
        try (elements) {
            return parallelize(elements.toList(), partitions);
        }
    }

    /** As the other, over {@link #defaultParallelism} partitions. <pre>{@code Rdd<Integer> ten = context.parallelize(Stream.iterate(1, n -> n + 1).limit(10));}</pre> */
    default <T> Rdd<T> parallelize(Stream<? extends T> elements) {
        return parallelize(elements, defaultParallelism());
    }

    /**
     * {@link #parallelize} of pairs.
     * <pre>{@code PairRdd<String, Integer> ages = context.parallelizePairs(List.of(Pair.of("ann", 31), Pair.of("bob", 47)), 2);}</pre>
     */
    default <K, V> PairRdd<K, V> parallelizePairs(List<Pair<K, V>> pairs, int partitions) {
        return pairs(this.<Pair<K, V>>parallelize(pairs, partitions));
    }

    /** As the other, over {@link #defaultParallelism} partitions. <pre>{@code PairRdd<String, Integer> ages = context.parallelizePairs(List.of(Pair.of("ann", 31)));}</pre> */
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

    /** As the other, over {@link #defaultParallelism} partitions. <pre>{@code DoubleRdd halves = context.parallelizeDoubles(List.of(0.5, 1.5));}</pre> */
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
        return NumberRange.of(from, until, step, ArgumentChecks.partitions("range", partitions))
                .in(this);
    }

    /** As the other, by 1, over {@link #defaultParallelism} partitions. <pre>{@code long sum = context.range(0, 1_000_000).reduce(Long::sum);}</pre> */
    default Rdd<Long> range(long from, long until) {
        return range(from, until, 1, defaultParallelism());
    }

    /**
     * All elements of all, repeated as they are; partitions one after the other. Pairs spread alike stay so.
     * <pre>{@code Rdd<String> year = context.union(List.of(context.textFile("spring"), context.textFile("autumn")));}</pre>
     */
    <T> Rdd<T> union(List<? extends Rdd<? extends T>> datasets);

    /** As the other, of two. <pre>{@code Rdd<String> twice = context.union(lines, lines);}</pre> */
    default <T> Rdd<T> union(Rdd<? extends T> first, Rdd<? extends T> second) {
        return union(List.of(first, second));
    }

    /** As the other, of several. <pre>{@code Rdd<String> thrice = context.union(lines, lines, lines);}</pre> */
    @SuppressWarnings("unchecked") // given as a list at once
    default <T> Rdd<T> union(Rdd<? extends T> first, Rdd<? extends T>... others) {
        List<Rdd<? extends T>> all = new ArrayList<>();
        all.add(first);
        all.addAll(Arrays.asList(others));
        return union(all);
    }

    /** As the other, of pairs. <pre>{@code PairRdd<String, Integer> both = context.union(counts, counts);}</pre> */
    default <K, V> PairRdd<K, V> union(PairRdd<K, V> first, PairRdd<K, V> second) {
        return unionPairs(List.of(first, second));
    }

    /** As the other, of three. <pre>{@code PairRdd<String, Integer> all = context.union(counts, counts, counts);}</pre> */
    default <K, V> PairRdd<K, V> union(PairRdd<K, V> first, PairRdd<K, V> second, PairRdd<K, V> third) {
        return unionPairs(List.of(first, second, third));
    }

    /** As the other, of any number. <pre>{@code PairRdd<String, Integer> all = context.unionPairs(List.of(counts, counts, counts, counts));}</pre> */
    default <K, V> PairRdd<K, V> unionPairs(List<? extends Rdd<Pair<K, V>>> datasets) {
        return pairs(this.<Pair<K, V>>union(datasets));
    }

    /** {@link #union} of numbers. <pre>{@code DoubleRdd both = context.union(doubles, doubles);}</pre> */
    default DoubleRdd union(DoubleRdd first, DoubleRdd second) {
        return unionDoubles(List.of(first, second));
    }

    /** As the other, of several. <pre>{@code DoubleRdd all = context.union(doubles, doubles, doubles);}</pre> */
    default DoubleRdd union(DoubleRdd first, DoubleRdd... others) {
        List<DoubleRdd> all = new ArrayList<>();
        all.add(first);
        all.addAll(Arrays.asList(others));
        return unionDoubles(all);
    }

    /** As the other, of any number. <pre>{@code DoubleRdd all = context.unionDoubles(List.of(doubles, doubles, doubles));}</pre> */
    default DoubleRdd unionDoubles(List<? extends Rdd<Double>> datasets) {
        return doubles(this.<Double>union(datasets));
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
     * Lines of text files: {@code path} is a file, a directory, a pattern with {@code * ? [] {}}, or several with commas
     * between; compressed by suffix. Files are cut at line ends into at least {@code minPartitions} where they can be.
     * <pre>{@code long errors = context.textFile("/logs/*.gz", 16).filter(line -> line.contains("ERROR")).count();}</pre>
     */
    Rdd<String> textFile(String path, int minPartitions);

    /** As the other, in {@link #defaultMinPartitions} partitions at least. <pre>{@code Rdd<String> text = context.textFile("/data/words.txt");}</pre> */
    default Rdd<String> textFile(String path) {
        return textFile(path, defaultMinPartitions());
    }

    /**
     * Whole text files, as pairs of path and content; paths as for {@link #textFile}.
     * <pre>{@code PairRdd<String, Integer> sizes = context.wholeTextFiles("/pages", 4).mapValues(String::length);}</pre>
     */
    PairRdd<String, String> wholeTextFiles(String path, int minPartitions);

    /** As the other, in {@link #defaultMinPartitions} partitions at least. <pre>{@code PairRdd<String, String> pages = context.wholeTextFiles("/pages");}</pre> */
    default PairRdd<String, String> wholeTextFiles(String path) {
        return wholeTextFiles(path, defaultMinPartitions());
    }

    /**
     * Whole files, as pairs of path and content; paths as for {@link #textFile}.
     * <pre>{@code PairRdd<String, Integer> firstBytes = context.binaryFiles("/images", 4).mapValues(bytes -> (int) bytes[0]);}</pre>
     */
    PairRdd<String, byte[]> binaryFiles(String path, int minPartitions);

    /** As the other, in {@link #defaultMinPartitions} partitions at least. <pre>{@code PairRdd<String, byte[]> images = context.binaryFiles("/images");}</pre> */
    default PairRdd<String, byte[]> binaryFiles(String path) {
        return binaryFiles(path, defaultMinPartitions());
    }

    /**
     * As {@link #binaryFiles}, of files that tasks open and read themselves, as large as they may be.
     * <pre>{@code Rdd<Integer> firstBytes = context.binaryStreams("/videos", 4).values().map(file -> {
     *     try (InputStream in = file.open()) {
     *         return in.read();
     *     }
     * });}</pre>
     */
    PairRdd<String, BinaryFile> binaryStreams(String path, int minPartitions);

    /** As the other, in {@link #defaultMinPartitions} partitions at least. <pre>{@code PairRdd<String, Long> sizes = context.binaryStreams("/videos").mapValues(BinaryFile::length);}</pre> */
    default PairRdd<String, BinaryFile> binaryStreams(String path) {
        return binaryStreams(path, defaultMinPartitions());
    }

    /**
     * What {@link Rdd#saveAsObjectFile} wrote; paths as for {@link #textFile}.
     * <pre>{@code numbers.saveAsObjectFile("/data/numbers");
     * Rdd<Integer> again = context.objectFile("/data/numbers", 4);}</pre>
     */
    <T> Rdd<T> objectFile(String path, int minPartitions);

    /** As the other, in {@link #defaultMinPartitions} partitions at least. <pre>{@code Rdd<Integer> again = context.objectFile("/data/numbers");}</pre> */
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

    /** The directory that was set, by this program or by {@code hearth.checkpoint.dir}. <pre>{@code boolean mayCheckpoint = context.checkpointDirectory().isPresent();}</pre> */
    Optional<String> checkpointDirectory();

    /**
     * The datasets that are persisted, by {@link Rdd#id}, as long as something can read them.
     * <pre>{@code context.persistedDatasets().values().forEach(dataset -> dataset.unpersist());}</pre>
     */
    Map<Integer, Rdd<?>> persistedDatasets();

    /**
     * What {@link Rdd#checkpoint} has written, in its partitions, for a later application as well: {@code path} is the directory
     * set, below it the application's id and {@code rdd-} with the dataset's.
     * <pre>{@code Rdd<Pair<String, Integer>> saved = context.checkpointFile("/shared/checkpoints/app-1/rdd-7");}</pre>
     */
    <T> Rdd<T> checkpointFile(String path);

    /**
     * Gives tasks a copy of a file, found by {@link HearthFiles#path} under its name. A name stands for one content: the same
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

    /** As the other, not shown. <pre>{@code Accumulator<Long, Long> bytes = context.accumulator(new LongSum());}</pre> */
    default <T, R> Accumulator<T, R> accumulator(Accumulation<T, R> kind) {
        return accumulator("", kind);
    }

    /**
     * A sum of whole numbers.
     * <pre>{@code LongAccumulator blank = context.longAccumulator("blank lines");
     * lines.foreach(line -> blank.add(line.isBlank() ? 1 : 0));}</pre>
     */
    default LongAccumulator longAccumulator(String name) {
        return (LongAccumulator) accumulator(name, new LongSum());
    }

    /** As the other, not shown. <pre>{@code LongAccumulator seen = context.longAccumulator();}</pre> */
    default LongAccumulator longAccumulator() {
        return longAccumulator("");
    }

    /**
     * A sum of numbers.
     * <pre>{@code DoubleAccumulator weight = context.doubleAccumulator("weight");}</pre>
     */
    default DoubleAccumulator doubleAccumulator(String name) {
        return (DoubleAccumulator) accumulator(name, new DoubleSum());
    }

    /** As the other, not shown. <pre>{@code DoubleAccumulator weight = context.doubleAccumulator();}</pre> */
    default DoubleAccumulator doubleAccumulator() {
        return doubleAccumulator("");
    }

    /**
     * All that tasks add, in no particular order.
     * <pre>{@code Accumulator<String, List<String>> bad = context.collectingAccumulator("bad lines");
     * lines.filter(String::isBlank).foreach(bad::add);}</pre>
     */
    default <T> Accumulator<T, List<T>> collectingAccumulator(String name) {
        return accumulator(name, new Elements<T>());
    }

    /** As the other, not shown. <pre>{@code Accumulator<String, List<String>> bad = context.collectingAccumulator();}</pre> */
    default <T> Accumulator<T, List<T>> collectingAccumulator() {
        return collectingAccumulator("");
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

        /** What the application is shown as. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** Any setting, for example {@code hearth.default.parallelism}; the last value given for a key counts. */
        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** Where to run, for example {@code local[2]}; without it, what the launcher was told. */
        public Builder master(String url) {
            return setting("hearth.master", url);
        }

        /** The name given so far, empty where none is. <pre>{@code String name = HearthContext.builder().name("count").name();}</pre> */
        public String name() {
            return name;
        }

        /**
         * What this builder was given for a setting; {@code spark.x} and {@code hearth.x} are one key.
         * <pre>{@code String memory = HearthContext.builder().setting("hearth.executor.memory").orElse("1g");}</pre>
         */
        public Optional<String> setting(String key) {
            return spellings(key)
                    .filter(settings::containsKey)
                    .map(settings::get)
                    .findFirst();
        }

        /** All settings this builder was given, as they were spelled; a copy. <pre>{@code int count = HearthContext.builder().settings().size();}</pre> */
        public Map<String, String> settings() {
            return new LinkedHashMap<>(settings);
        }

        /** Gives a setting unless this builder has one. <pre>{@code HearthContext.builder().settingIfMissing("hearth.master", "local[2]");}</pre> */
        public Builder settingIfMissing(String key, String value) {
            return setting(key).isPresent() ? this : setting(key, value);
        }

        /** Takes a setting back. <pre>{@code HearthContext.builder().master("local").without("hearth.master");}</pre> */
        public Builder without(String key) {
            spellings(key).forEach(settings::remove);
            return this;
        }

        /** Another builder that was given the same. <pre>{@code HearthContext.Builder other = HearthContext.builder().name("count").copy();}</pre> */
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

        /** Opens the context and waits until the cluster has taken the application. */
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
