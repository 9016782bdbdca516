package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Broadcast;
import dev.hearth.api.Command;
import dev.hearth.api.DoubleRdd;
import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.HearthFiles;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes common mistakes of applications. Each is refused with its error code and a message of the form
 * {@code subject: what we found (expected: the rule)}, followed by what to do if there is more to say.
 */
@Timeout(120)
@SuppressWarnings({"serial", "NullAway"}) // the mistakes under test
class CommonMistakesTest {
    private static final int MISTAKES_MIN = 30;
    private static final String REST = ": (?s:.+) \\(expected: (?s:.+?)\\)(; (?s:.+))?";
    private static final String RULE = "(expected: ";
    private static final String TASK =
            "task for partition \\d+ of job \\d+, stage [^ ]+: failed (1 time, last|for good) on executor .+: ";

    private static volatile Rdd<Integer>
            known; // read through a static field, as a captured dataset could not be serialised

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @TempDir
    Path directory;

    private final HearthContext context = local.open(Map.of("hearth.driver.maxResultSize", "1m"));
    private final Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4), 2);
    private final Rdd<Integer> none = numbers.filter(number -> false);
    private final PairRdd<Integer, Integer> pairs = numbers.keyBy(number -> number % 2);
    private final DoubleRdd doubles = numbers.mapToDouble(number -> number);

    /**
     * A mistake and its expected refusal; {@code inside} says that a task refuses it, whose failure quotes the message.
     */
    private record Mistake(String what, String code, String subject, boolean inside, Executable call) {
        static Mistake of(String what, String code, String subject, Executable call) {
            return new Mistake(what, code, subject, false, call);
        }

        static Mistake argument(String what, String subject, Executable call) {
            return new Mistake(what, "BAD_ARGUMENT", subject, false, call);
        }

        static Mistake inTask(String what, String subject, Executable call) {
            return new Mistake(what, "TASK_FAILED", subject, true, call);
        }

        void isRefused() {
            HearthException refused = assertThrows(HearthException.class, call);
            String message = String.valueOf(refused.getMessage());
            assertEquals(code, refused.code(), message);
            // the rule of the user's own exceptions is not known
            String rest = subject.endsWith("ArithmeticException") ? ": (?s:.+)" : REST;
            Pattern form = Pattern.compile(inside ? TASK + "[\\w.$]+: " + subject + rest : subject + rest);
            assertTrue(form.matcher(message).matches(), () -> message + "\nexpected: " + form);
            assertEquals(message.indexOf(RULE), message.lastIndexOf(RULE), () -> "one rule: " + message);
            assertFalse(message.contains("; caused by "), () -> "said by the message itself: " + message);
        }
    }

    @Test
    void namesACapturedDatasetOrContextAndWhatToUseInstead() {
        Rdd<Integer> dataset = none;
        HearthContext captured = context;
        refuses(
                "captured value 1 is a dataset (expected: none inside a function of another one, which runs on executors);"
                        + " collect or broadcast its elements before, or use join",
                () -> numbers.filter(number -> dataset.isEmpty()));
        refuses(
                "captured value 1 is a context (expected: none inside a function, which runs on executors); use the context"
                        + " in the driver alone, and TaskContext.current() in functions",
                () -> numbers.map(number -> captured.emptyRdd().count()));
    }

    private static void refuses(String problem, Executable call) {
        HearthException refused = assertThrows(HearthException.class, call);
        assertEquals("NOT_SERIALIZABLE", refused.code());
        assertTrue(String.valueOf(refused.getMessage()).endsWith(": " + problem), refused::getMessage);
    }

    @TestFactory
    Stream<DynamicTest> areRefusedInOneForm() throws IOException {
        List<Mistake> all = Stream.of(
                        partitions(), numbersOutOfRange(), nothing(), paths(), captures(), lives(), tasks(), data())
                .flatMap(List::stream)
                .toList();
        assertEquals(all.size(), all.stream().map(Mistake::what).distinct().count());
        assertTrue(all.size() >= MISTAKES_MIN);
        return all.stream().map(mistake -> DynamicTest.dynamicTest(mistake.what(), mistake::isRefused));
    }

    private List<Mistake> partitions() {
        return List.of(
                Mistake.argument("zero partitions", "parallelize", () -> context.parallelize(List.of(1), 0)),
                Mistake.argument("coalesce to no partition", "coalesce", () -> numbers.coalesce(0)),
                Mistake.argument("repartition to a negative number", "repartition", () -> numbers.repartition(-1)),
                Mistake.argument("a partitioner of none", "partitioner", () -> new HashPartitioner(0)),
                Mistake.argument("zip of different partitions", "zip", () -> numbers.zip(numbers.repartition(3))),
                Mistake.argument("a missing partition", "pick", () -> numbers.pick(List.of(2))),
                Mistake.argument(
                        "a dataset of another context",
                        "union",
                        () -> numbers.union(local.open("other", Map.of()).parallelize(List.of(1), 1))),
                Mistake.argument(
                        "locations without elements", "parallelizeAt", () -> context.parallelizeAt(List.of())));
    }

    private List<Mistake> numbersOutOfRange() {
        return List.of(
                Mistake.argument("negative fraction", "sample", () -> numbers.sample(false, -0.1)),
                Mistake.argument("fraction above one", "sample", () -> numbers.sample(false, 1.5)),
                Mistake.argument(
                        "fraction of a key", "sampleByKey of key 1", () -> pairs.sampleByKey(false, Map.of(1, 2.0))),
                Mistake.argument("weights of zero", "randomSplit", () -> numbers.randomSplit(0, 0)),
                Mistake.argument("take below zero", "take", () -> numbers.take(-1)),
                Mistake.argument("top below zero", "top", () -> numbers.top(-1)),
                Mistake.argument("a tree without depth", "treeReduce", () -> numbers.treeReduce(Integer::sum, 0)),
                Mistake.argument("a step of zero", "range", () -> context.range(0, 1, 0, 1)),
                Mistake.argument("certainty", "countApprox", () -> numbers.countApprox(Duration.ofSeconds(1), 1)),
                Mistake.argument("a negative time", "countApprox", () -> numbers.countApprox(Duration.ofSeconds(-1))),
                Mistake.argument("an error bound of zero", "countApproxDistinct", () -> numbers.countApproxDistinct(0)),
                Mistake.argument("a histogram of one bound", "histogram", () -> doubles.histogram(1.0)),
                Mistake.argument(
                        "a histogram with an infinite bound",
                        "histogram",
                        () -> doubles.map(number -> number / 0)
                                .mapToDouble(number -> number)
                                .histogram(3)),
                Mistake.argument(
                        "a charset of no name", "pipe", () -> Command.of("cat").withCharset("none")),
                Mistake.argument("a tag with a comma", "job tag", () -> context.addJobTag("a,b")));
    }

    private List<Mistake> nothing() {
        return List.of(
                Mistake.of("reduce of an empty dataset", "EMPTY_DATASET", "reduce", () -> none.reduce(Integer::sum)),
                Mistake.of("first of an empty dataset", "EMPTY_DATASET", "first", none::first),
                Mistake.of(
                        "max of an empty dataset", "EMPTY_DATASET", "max", () -> none.max(Comparator.naturalOrder())),
                Mistake.argument("no function", "function given to filter", () -> numbers.filter(null)),
                Mistake.argument("no partitioner", "partitionBy", () -> pairs.partitionBy(null)));
    }

    private List<Mistake> paths() throws IOException {
        String missing = directory.resolve("nothing").toString();
        String existing = Files.createDirectory(directory.resolve("existing")).toString();
        Path text = Files.writeString(directory.resolve("text"), "no objects");
        return List.of(
                Mistake.of("a missing path", "PATH_MISSING", "input path '.*nothing'", () -> context.textFile(missing)),
                Mistake.of(
                        "an existing output",
                        "PATH_EXISTS",
                        "output directory .*existing'?",
                        () -> numbers.saveAsTextFile(existing)),
                Mistake.of(
                        "objects over an existing output",
                        "PATH_EXISTS",
                        "output directory .*existing'?",
                        () -> numbers.saveAsObjectFile(existing)),
                Mistake.argument("an unknown codec", ".*codec.*", () -> numbers.saveAsTextFile(missing, "rar")),
                Mistake.of(
                        "a file of an unsupported scheme",
                        "NO_PROVIDER",
                        "file ftp://host/x, file store for scheme 'ftp'",
                        () -> context.textFile("ftp://host/x")),
                Mistake.of("a missing attachment", "PATH_MISSING", ".*nothing.*", () -> context.addFile(missing)),
                Mistake.inTask(
                        "an unknown attachment",
                        "attached file 'words'",
                        () -> numbers.map(number -> HearthFiles.path("words").toString())
                                .collect()),
                Mistake.inTask(
                        "text read as objects",
                        "file .*text",
                        () -> context.objectFile(text.toString()).count()),
                Mistake.of(
                        "no checkpoint",
                        "PATH_MISSING",
                        "checkpoint '.*nothing'",
                        () -> context.checkpointFile(missing)),
                Mistake.argument("a checkpoint without a directory", "checkpoint.*", numbers::checkpoint));
    }

    private List<Mistake> captures() {
        Object lock = new Object();
        return List.of(
                Mistake.of(
                        "a captured object",
                        "NOT_SERIALIZABLE",
                        "function given to map at .+",
                        () -> numbers.map(number -> number + lock.hashCode())),
                Mistake.of(
                        "a captured context",
                        "NOT_SERIALIZABLE",
                        "function given to map at .+",
                        () -> numbers.map(number ->
                                context.parallelize(List.of(number), 1).count())),
                Mistake.of(
                        "a captured dataset",
                        "NOT_SERIALIZABLE",
                        "function given to filter at .+",
                        () -> numbers.filter(number -> none.isEmpty())),
                Mistake.of(
                        "a broadcast object",
                        "NOT_SERIALIZABLE",
                        "value to broadcast.*",
                        () -> context.broadcast(lock)),
                Mistake.inTask(
                        "a result that cannot be serialised",
                        ".*",
                        () -> numbers.map(number -> new Object()).collect()),
                Mistake.inTask(
                        "keys of arrays",
                        ".*key.*",
                        () -> numbers.mapToPair(number -> Pair.of(new int[] {number}, 1))
                                .groupByKey()
                                .count()),
                Mistake.inTask(
                        "keys without an order",
                        "sort key",
                        () -> numbers.keyBy(number -> List.of(number))
                                .sortByKey(true, 1)
                                .collect()));
    }

    private List<Mistake> lives() {
        HearthContext closed = local.open("over", Map.of());
        Rdd<Integer> late = closed.parallelize(List.of(1), 1);
        Broadcast<Integer> destroyed = context.broadcast(1);
        Rdd<Integer> persisted = numbers.map(number -> number).persist(StorageLevel.DISK_ONLY);
        return List.of(
                Mistake.of("a closed context", "CONTEXT_CLOSED", "context of over.*", () -> {
                    closed.close();
                    late.count();
                }),
                Mistake.of("a destroyed broadcast", "CONTEXT_CLOSED", "broadcast \\d+", () -> {
                    destroyed.destroy();
                    destroyed.value();
                }),
                Mistake.inTask(
                        "a destroyed broadcast in a task",
                        "broadcast \\d+",
                        () -> numbers.map(number -> number + destroyed.value()).collect()),
                Mistake.argument("another level", "persist", () -> persisted.persist(StorageLevel.MEMORY_ONLY)),
                Mistake.argument("level none", "persist", () -> none.persist(StorageLevel.NONE)),
                Mistake.argument("unpersist of the only copy", "unpersist", () -> {
                    Rdd<Integer> only = numbers.map(number -> number + 1);
                    only.localCheckpoint();
                    only.count();
                    only.unpersist();
                }),
                Mistake.of(
                        "a setting that is no number",
                        "BAD_SETTING",
                        "(?s:.*)hearth\\.task\\.maxFailures",
                        () -> local.open(Map.of("hearth.task.maxFailures", "many"))),
                Mistake.of("a task's context outside", "WRONG_THREAD", ".*", TaskContext::current),
                Mistake.of(
                        "results beyond the bound",
                        "RESULTS_TOO_LARGE",
                        "results of \\d tasks? of stage .*",
                        () -> numbers.map(number -> new byte[600_000]).collect()));
    }

    private List<Mistake> tasks() {
        known = numbers;
        Accumulator<Long, Long> sum = context.longAccumulator("sum");
        return List.of(
                Mistake.inTask(
                        "a dataset inside a task",
                        "count",
                        () -> numbers.map(number -> known.count() + number).collect()),
                Mistake.inTask(
                        "a transformation inside a task",
                        "map",
                        () -> numbers.map(number -> known.map(n -> n).id()).collect()),
                Mistake.inTask(
                        "the context inside a task",
                        "parallelize",
                        () -> numbers.map(number -> known.context()
                                        .parallelize(List.of(number), 1)
                                        .id())
                                .collect()),
                Mistake.inTask(
                        "a context closed by a task",
                        "context",
                        () -> numbers.foreach(number -> known.context().close())),
                Mistake.inTask(
                        "an accumulator read by a task",
                        "accumulator.*",
                        () -> numbers.map(number -> sum.value()).collect()),
                Mistake.of(
                        "an exception of the application",
                        "TASK_FAILED",
                        TASK + "java.lang.ArithmeticException",
                        () -> numbers.map(number -> 1 / (number - 1)).collect()));
    }

    private List<Mistake> data() {
        return List.of(
                Mistake.inTask(
                        "zip of different lengths",
                        "zip.*",
                        () -> numbers.zip(numbers.flatMap(
                                        number -> List.of(number, number).iterator()))
                                .count()),
                Mistake.inTask(
                        "a key without partition",
                        ".*",
                        () -> pairs.partitionBy(new Elsewhere(2)).count()),
                Mistake.inTask(
                        "no such program",
                        "pipe",
                        () -> numbers.pipe("no-such-program-anywhere").count()),
                Mistake.inTask(
                        "a program that fails",
                        "pipe",
                        () -> numbers.pipe(List.of("sh", "-c", "cat >/dev/null; exit 3"))
                                .count()),
                Mistake.inTask(
                        "a barrier in a plain stage",
                        "barrier",
                        () -> numbers.foreach(
                                number -> BarrierTaskContext.current().barrier())));
    }

    /** Returns partition numbers that do not exist. */
    private record Elsewhere(int partitions) implements Partitioner {
        @Override
        public int partition(Object key) {
            return partitions + 5;
        }
    }

    @Test
    void nextJobWorks() {
        assertThrows(
                HearthException.class,
                () -> numbers.pipe("no-such-program-anywhere").count());
        assertEquals(4, numbers.count());
    }
}
