package dev.hearth.engine.internal.driver;

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
 * Mistakes that programs make, each made for real: it is refused with its code, and in the one form of message that there is,
 * {@code subject: what we found (expected: the rule)}, with what to do behind that where there is more to say.
 */
@Timeout(120)
@SuppressWarnings({"serial", "NullAway"}) // the mistakes that are shown
class CommonMistakesTest {
    private static final int MISTAKES_MIN = 30;
    private static final String REST = ": (?s:.+) \\(expected: (?s:.+?)\\)(; (?s:.+))?";
    private static final String RULE = "(expected: ";
    private static final String TASK =
            "task for partition \\d+ of job \\d+, stage [^ ]+: failed (1 time, last|for good) on executor .+: ";

    private static volatile Rdd<Integer> known; // by a static, as programs do; a captured one could not travel

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @TempDir
    Path directory;

    private final HearthContext context = local.open(Map.of("hearth.driver.maxResultSize", "1m"));
    private final Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4), 2);
    private final Rdd<Integer> none = numbers.filter(number -> false);
    private final PairRdd<Integer, Integer> pairs = numbers.keyBy(number -> number % 2);
    private final DoubleRdd doubles = numbers.mapToDouble(number -> number);

    /** What is refused as what; {@code inside}: by a task, whose failure quotes it. */
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
            Pattern form = Pattern.compile(inside ? TASK + "[\\w.$]+: " + subject + REST : subject + REST);
            assertTrue(form.matcher(message).matches(), () -> message + "\nexpected: " + form);
            assertEquals(message.indexOf(RULE), message.lastIndexOf(RULE), () -> "one rule: " + message);
            assertFalse(message.contains("; caused by "), () -> "said by the message itself: " + message);
        }
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
                Mistake.argument("coalesce to none", "coalesce", () -> numbers.coalesce(0)),
                Mistake.argument("repartition below zero", "repartition", () -> numbers.repartition(-1)),
                Mistake.argument("a partitioner of none", "partitioner", () -> new HashPartitioner(0)),
                Mistake.argument("zip of different partitions", "zip", () -> numbers.zip(numbers.repartition(3))),
                Mistake.argument("a partition that is not there", "pick", () -> numbers.pick(List.of(2))),
                Mistake.argument(
                        "a dataset of another context",
                        "union",
                        () -> numbers.union(local.open("other", Map.of()).parallelize(List.of(1), 1))),
                Mistake.argument("places of nothing", "parallelizeAt", () -> context.parallelizeAt(List.of())));
    }

    private List<Mistake> numbersOutOfRange() {
        return List.of(
                Mistake.argument("negative fraction", "sample", () -> numbers.sample(false, -0.1)),
                Mistake.argument("fraction above one", "sample", () -> numbers.sample(false, 1.5)),
                Mistake.argument(
                        "fraction of a key", "sampleByKey of key 1", () -> pairs.sampleByKey(false, Map.of(1, 2.0))),
                Mistake.argument("weights of nothing", "randomSplit", () -> numbers.randomSplit(0, 0)),
                Mistake.argument("take below zero", "take", () -> numbers.take(-1)),
                Mistake.argument("top below zero", "top", () -> numbers.top(-1)),
                Mistake.argument("a tree of no depth", "treeReduce", () -> numbers.treeReduce(Integer::sum, 0)),
                Mistake.argument("a step of nothing", "range", () -> context.range(0, 1, 0, 1)),
                Mistake.argument("certainty", "countApprox", () -> numbers.countApprox(Duration.ofSeconds(1), 1)),
                Mistake.argument("a time before now", "countApprox", () -> numbers.countApprox(Duration.ofSeconds(-1))),
                Mistake.argument("no error at all", "countApproxDistinct", () -> numbers.countApproxDistinct(0)),
                Mistake.argument("a histogram of one bound", "histogram", () -> doubles.histogram(1.0)),
                Mistake.argument(
                        "a histogram without end",
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
                Mistake.of("reduce of nothing", "EMPTY_DATASET", "reduce", () -> none.reduce(Integer::sum)),
                Mistake.of("first of nothing", "EMPTY_DATASET", "first", none::first),
                Mistake.of("max of nothing", "EMPTY_DATASET", "max", () -> none.max(Comparator.naturalOrder())),
                Mistake.argument("no function", "function given to filter", () -> numbers.filter(null)),
                Mistake.argument("no partitioner", "partitionBy", () -> pairs.partitionBy(null)));
    }

    private List<Mistake> paths() throws IOException {
        String missing = directory.resolve("nothing").toString();
        String there = Files.createDirectory(directory.resolve("there")).toString();
        Path text = Files.writeString(directory.resolve("text"), "no objects");
        return List.of(
                Mistake.of("a missing path", "PATH_MISSING", "input path '.*nothing'", () -> context.textFile(missing)),
                Mistake.of(
                        "an output that is there",
                        "PATH_EXISTS",
                        "output directory .*there'?",
                        () -> numbers.saveAsTextFile(there)),
                Mistake.of(
                        "objects over an output",
                        "PATH_EXISTS",
                        "output directory .*there'?",
                        () -> numbers.saveAsObjectFile(there)),
                Mistake.argument("a codec of no name", ".*codec.*", () -> numbers.saveAsTextFile(missing, "rar")),
                Mistake.argument("a file elsewhere", "path 'ftp://host/x'", () -> context.textFile("ftp://host/x")),
                Mistake.of("a missing attachment", "PATH_MISSING", ".*nothing.*", () -> context.addFile(missing)),
                Mistake.inTask(
                        "a name that nobody attached",
                        "attached file 'words'",
                        () -> numbers.map(number -> HearthFiles.path("words").toString())
                                .collect()),
                Mistake.inTask(
                        "text as objects",
                        "file .*text",
                        () -> context.objectFile(text.toString()).count()),
                Mistake.of(
                        "a checkpoint that is none",
                        "PATH_MISSING",
                        "checkpoint '.*nothing'",
                        () -> context.checkpointFile(missing)),
                Mistake.argument("a checkpoint without a place", "checkpoint.*", numbers::checkpoint));
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
                        "a result that cannot travel",
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
        Rdd<Integer> kept = numbers.map(number -> number).persist(StorageLevel.DISK_ONLY);
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
                Mistake.argument("another level", "persist", () -> kept.persist(StorageLevel.MEMORY_ONLY)),
                Mistake.argument("level none", "persist", () -> none.persist(StorageLevel.NONE)),
                Mistake.argument("the only copy given up", "unpersist", () -> {
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
                        "results without end",
                        "RESULTS_TOO_LARGE",
                        "results of \\d tasks of stage .*",
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
                        "what the program throws",
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
                        "a key sent nowhere",
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

    /** Sends keys where there is nothing. */
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
