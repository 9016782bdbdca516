package dev.hearth.itests.endtoend.app;

import dev.hearth.api.BinaryFile;
import dev.hearth.api.DoubleRdd;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Placed;
import dev.hearth.api.Rdd;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Calls each method of {@link HearthContext} that creates a dataset or takes a function, and prints a line for its
 * result. The last line names the methods that were not called.
 */
public final class ContextOperations {
    private static final String FUNCTIONS = "dev.hearth.api.function";

    private final HearthContext context; // records the called methods
    private final Set<Method> called = new HashSet<>();
    private final Path directory;

    private ContextOperations(HearthContext opened, Path directory) {
        this.directory = directory;
        this.context = (HearthContext) Proxy.newProxyInstance(
                ContextOperations.class.getClassLoader(),
                new Class<?>[] {HearthContext.class},
                (proxy, method, given) -> {
                    called.add(method);
                    try {
                        return method.invoke(opened, given);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** Calls all methods; {@code directory} is empty. */
    static void run(HearthContext opened, Path directory) throws Exception {
        ContextOperations operations = new ContextOperations(opened, directory);
        operations.elements();
        operations.unions();
        operations.files();
        operations.saved();
        operations.jobs();
        say("methods of the context not called", operations.missing());
    }

    private List<String> missing() {
        return Arrays.stream(HearthContext.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> isDataset(method.getGenericReturnType().getTypeName())
                        || Arrays.stream(method.getParameterTypes())
                                .anyMatch(type -> type.getPackageName().equals(FUNCTIONS)))
                .filter(method -> !called.contains(method))
                .map(Method::toString)
                .sorted()
                .toList();
    }

    private static boolean isDataset(String type) {
        return type.contains("Rdd");
    }

    private static void say(String operation, Object result) {
        System.out.println(operation + ": " + result);
    }

    private static void sayAll(String operation, Collection<?> results) {
        say(operation, results.stream().map(String::valueOf).sorted().toList());
    }

    private void elements() {
        sayAll(
                "parallelize",
                context.parallelize(List.of(1, 2, 3)).map(n -> n + 1).collect());
        sayAll("parallelize in 2", context.parallelize(List.of(1, 2, 3), 2).collect());
        sayAll("parallelize a stream", context.parallelize(Stream.of("a", "b")).collect());
        sayAll(
                "parallelize a stream in 2",
                context.parallelize(Stream.of("a", "b"), 2).collect());
        List<Pair<String, Integer>> pairs = List.of(Pair.of("a", 1), Pair.of("b", 2), Pair.of("a", 3));
        sayAll("parallelizePairs", context.parallelizePairs(pairs).collect());
        sayAll(
                "parallelizePairs in 2",
                context.parallelizePairs(pairs, 2).reduceByKey(Integer::sum).collect());
        say("parallelizeDoubles", context.parallelizeDoubles(List.of(0.5, 1.5)).sum());
        say(
                "parallelizeDoubles in 2",
                context.parallelizeDoubles(List.of(0.5, 1.5), 2).mean());
        say(
                "parallelizeAt",
                context.parallelizeAt(List.of(new Placed<>("x", List.of("nowhere"))))
                        .collect());
        say("emptyRdd", context.emptyRdd().count());
        say("range", context.range(0, 10).reduce(Long::sum));
        say("range by 3", context.range(10, 0, -3, 2).collect());
        Rdd<Pair<Integer, Integer>> squares = context.range(0, 4, 1, 2).map(n -> Pair.of((int) (n % 2), (int) (n * n)));
        sayAll("pairs", context.pairs(squares).reduceByKey(Integer::sum).collect());
        say(
                "doubles",
                context.doubles(context.range(0, 4, 1, 2).map(n -> n / 2.0))
                        .stats()
                        .max());
    }

    @SuppressWarnings("unchecked") // one overload of union takes an array of datasets
    private void unions() {
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3), 2);
        PairRdd<Integer, Integer> pairs = numbers.keyBy(n -> n % 2);
        DoubleRdd doubles = numbers.mapToDouble(n -> n / 2.0);
        sayAll(
                "union of a list",
                context.<Integer>union(List.of(numbers, numbers)).collect());
        sayAll("union of two", context.<Integer>union(numbers, numbers).collect());
        Rdd<Integer> three = context.union(numbers, numbers, numbers);
        sayAll("union of three", three.collect());
        sayAll("union of two of pairs", context.union(pairs, pairs).countByKey().entrySet());
        sayAll(
                "union of three of pairs",
                context.union(pairs, pairs, pairs).countByKey().entrySet());
        sayAll("unionPairs", context.unionPairs(List.of(pairs, pairs)).values().collect());
        say("union of two of doubles", context.union(doubles, doubles).sum());
        say(
                "union of three of doubles",
                context.union(doubles, doubles, doubles).sum());
        say("unionDoubles", context.unionDoubles(List.of(doubles, doubles)).sum());
    }

    private void files() throws IOException {
        Path files = Files.createDirectory(directory.resolve("context-files"));
        Files.writeString(files.resolve("a"), "one\ntwo\n");
        Files.writeString(files.resolve("b"), "six\n");
        String path = files.toString();
        sayAll("textFile", context.textFile(path).collect());
        sayAll("textFile in 3", context.textFile(path, 3).collect());
        sayAll("wholeTextFiles", context.wholeTextFiles(path).values().collect());
        sayAll("wholeTextFiles in 3", context.wholeTextFiles(path, 3).values().collect());
        sayAll(
                "binaryFiles",
                context.binaryFiles(path)
                        .mapValues(bytes -> bytes.length)
                        .values()
                        .collect());
        sayAll(
                "binaryFiles in 3",
                context.binaryFiles(path, 3)
                        .mapValues(bytes -> bytes[0])
                        .values()
                        .collect());
        sayAll(
                "binaryStreams",
                context.binaryStreams(path)
                        .mapValues(BinaryFile::length)
                        .values()
                        .collect());
        PairRdd<String, BinaryFile> opened = context.binaryStreams(path, 3);
        sayAll(
                "binaryStreams in 3",
                opened.values().map(ContextOperations::first).collect());
        sayAll(
                "binaryStreams shuffled",
                opened.mapToPair(file -> Pair.of(file.value(), 1))
                        .reduceByKey(Integer::sum, 2)
                        .values()
                        .collect());
        say("binaryStreams cached", opened.cache().count() + opened.count());
        sayAll(
                "binaryRecords",
                context.binaryRecords(path, 4).map(bytes -> (char) bytes[0]).collect());
    }

    private static int first(BinaryFile file) throws IOException {
        try (InputStream in = file.open()) {
            return in.read();
        }
    }

    private void saved() {
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3), 2);
        String objects = directory.resolve("context-objects").toString();
        numbers.saveAsObjectFile(objects);
        sayAll(
                "objectFile",
                context.<Integer>objectFile(objects).map(n -> n + 1).collect());
        sayAll(
                "objectFile in 3",
                context.<Integer>objectFile(objects, 3).map(n -> n - 1).collect());
        Rdd<Integer> doubled = numbers.map(n -> 2 * n);
        doubled.checkpoint();
        doubled.count();
        Path checkpoint = Path.of(context.checkpointDirectory().orElseThrow())
                .resolve(context.applicationId())
                .resolve("rdd-" + doubled.id());
        sayAll(
                "checkpointFile",
                context.<Integer>checkpointFile(checkpoint.toString())
                        .map(n -> n / 2)
                        .collect());
        Rdd<Integer> kept = numbers.map(n -> 3 * n).cache();
        kept.count();
        Map<Integer, Rdd<?>> persisted = context.persistedDatasets();
        sayAll(
                "persistedDatasets",
                persisted.get(kept.id()).map(String::valueOf).collect());
        kept.unpersist();
    }

    private void jobs() throws Exception {
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3), 3);
        say("runJob", context.runJob(numbers, (task, part) -> task.partition() + part.next(), List.of(2, 0)));
        say(
                "submitJob",
                context.submitJob(numbers, (task, part) -> part.next(), List.of(1))
                        .get());
        say(
                "runApproximateJob",
                context.runApproximateJob(
                                numbers,
                                (task, part) -> part.next(),
                                (found, tasks) ->
                                        found.stream().mapToInt(n -> n).sum(),
                                Duration.ofMinutes(2))
                        .last());
    }
}
