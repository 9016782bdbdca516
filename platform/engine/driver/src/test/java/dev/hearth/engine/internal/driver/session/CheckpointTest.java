package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import dev.hearth.testkit.storage.TestingStorage;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests checkpoints through the whole driver, with an executor in this process. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(120)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class CheckpointTest {
    private static final int COLLECTIONS_MAX = 50;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @Parameter
    TestingStorage storage;

    @TempDir
    Path temporary;

    private TestingPath directory;

    @BeforeEach
    void place() throws IOException {
        directory = storage.directory(TestingStores.with(local.memory), temporary);
    }

    private static List<Integer> numbers(int until) {
        return IntStream.range(0, until).boxed().toList();
    }

    private HearthContext open() {
        HearthContext context = local.open();
        context.checkpointDirectory(directory.toString());
        return context;
    }

    private List<TestingPath> files() throws IOException {
        try (Stream<TestingPath> all = TestingFiles.walk(directory)) {
            List<TestingPath> found = new ArrayList<>();
            for (TestingPath path : all.toList()) {
                if (TestingFiles.isRegularFile(path)) {
                    found.add(path);
                }
            }
            return found.stream().sorted().toList();
        }
    }

    private static boolean isCollected(WeakReference<?> reference) {
        for (int i = 0; i < COLLECTIONS_MAX && reference.get() != null; i++) {
            System.gc();
        }
        return reference.get() == null;
    }

    /** An asynchronous action over numbers. */
    private interface AsyncAction {
        JobFuture<?> start(Rdd<Integer> numbers);
    }

    private static List<Named<AsyncAction>> asyncActions() {
        return List.of(
                Named.of("countAsync", Rdd::countAsync),
                Named.of("collectAsync", Rdd::collectAsync),
                Named.of("foreachAsync", dataset -> dataset.foreachAsync(n -> {})),
                Named.of("foreachPartitionAsync", dataset -> dataset.foreachPartitionAsync(part -> {})),
                Named.of("takeAsync", dataset -> dataset.takeAsync(50)),
                Named.of("evaluateAsync", dataset -> dataset.evaluateAsync((task, part) -> 1, List.of(0))));
    }

    @ParameterizedTest
    @MethodSource("asyncActions")
    void isWrittenAfterAsynchronousActionsAsWell(AsyncAction action) throws Exception {
        HearthContext context = open();
        StartedJobs jobs = new StartedJobs(context);
        context.jobGroup("asked for", "", false);
        Rdd<Integer> reliable = context.parallelize(numbers(100), 3).map(n -> n + 1);
        reliable.checkpoint();
        JobFuture<?> requested = action.start(reliable);
        context.clearJobGroup();
        requested.get(60, TimeUnit.SECONDS);
        assertTrue(reliable.isCheckpointed(), "once its result is available");
        assertEquals(5, files().size());
        List<ApplicationEvent.JobStarted> started = jobs.soFar();
        assertTrue(started.size() > requested.jobs().size(), () -> "one writes: " + started);
        started.forEach(job -> assertEquals("asked for", job.group()));
        Rdd<Integer> here = context.parallelize(numbers(100), 3).map(n -> n + 1);
        here.localCheckpoint();
        action.start(here).get(60, TimeUnit.SECONDS);
        assertTrue(here.isCheckpointed());
    }

    @Test
    void failsAnAsynchronousActionWhenItCannotBeWritten() throws Exception {
        HearthContext context = open();
        Rdd<Integer> numbers = context.parallelize(numbers(100), 3).map(n -> n + 1);
        numbers.checkpoint();
        TestingPath inTheWay = directory.resolve(context.applicationId());
        TestingFiles.writeString(inTheWay, "no directory");
        JobFuture<Long> count = numbers.countAsync();
        ExecutionException failure = assertThrows(ExecutionException.class, () -> count.get(60, TimeUnit.SECONDS));
        assertTrue(failure.getCause() instanceof HearthException, String.valueOf(failure.getCause()));
        assertFalse(numbers.isCheckpointed());
        TestingFiles.delete(inTheWay);
        assertEquals(100, numbers.countAsync().get(60, TimeUnit.SECONDS));
        assertTrue(numbers.isCheckpointed(), "the next action retries");
    }

    @Test
    void isReadByALaterContextInItsPartitions() {
        String path;
        List<List<Integer>> partitions;
        try (HearthContext context = open()) {
            Rdd<Integer> written = context.parallelize(numbers(100), 7).filter(n -> n % 3 == 0 && n < 60);
            written.checkpoint();
            partitions = written.collectPartitions(0, 1, 2, 3, 4, 5, 6);
            path = directory
                    .resolve(context.applicationId())
                    .resolve("rdd-" + written.id())
                    .toString();
        }
        try (HearthContext context = open()) {
            Rdd<Integer> read = context.checkpointFile(path);
            assertEquals(7, read.partitions());
            assertEquals(partitions, read.collectPartitions(0, 1, 2, 3, 4, 5, 6));
            assertEquals(
                    partitions.get(1),
                    context.<Integer>checkpointFile((directory.isLocal() ? "file:" : "") + path)
                            .collectPartitions(1)
                            .get(0));
        }
    }

    @Test
    void isRefusedIfIncomplete() throws IOException {
        HearthContext context = open();
        String missing = directory.resolve("missing").toString();
        HearthException none = assertThrows(HearthException.class, () -> context.checkpointFile(missing));
        assertEquals("PATH_MISSING", none.code());
        assertTrue(
                none.getMessage().contains("no such directory (expected: the directory of a complete checkpoint"),
                none::getMessage);
        TestingFiles.createFile(
                TestingFiles.createDirectory(directory.resolve("half")).resolve("part-00000"));
        HearthException half = assertThrows(
                HearthException.class,
                () -> context.checkpointFile(directory.resolve("half").toString()));
        assertTrue(half.getMessage().contains("no _SUCCESS in it"), half::getMessage);
    }

    @Test
    void isRefusedIfItsLastPartIsMissing() throws IOException {
        String path;
        TestingPath last;
        try (HearthContext context = open()) {
            Rdd<Integer> written = context.parallelize(numbers(100), 3).map(n -> n + 1);
            written.checkpoint();
            assertEquals(100, written.count());
            TestingPath at = directory.resolve(context.applicationId()).resolve("rdd-" + written.id());
            path = at.toString();
            last = at.resolve("part-00002");
        }
        byte[] bytes = TestingFiles.readAllBytes(last);
        HearthContext context = open();
        TestingFiles.delete(last);
        HearthException gone = assertThrows(HearthException.class, () -> context.checkpointFile(path));
        assertEquals("PATH_MISSING", gone.code());
        assertTrue(gone.getMessage().contains(last + ": is missing"), gone::getMessage);
        TestingFiles.write(last, java.util.Arrays.copyOf(bytes, bytes.length - 1));
        HearthException cut = assertThrows(HearthException.class, () -> context.checkpointFile(path));
        assertEquals("FILE_DAMAGED", cut.code());
        TestingFiles.write(last, bytes);
        assertEquals(100, context.checkpointFile(path).count());
        TestingFiles.delete(last.resolveSibling(".parts"));
        assertEquals(100, context.checkpointFile(path).count(), "as an earlier release wrote it");
    }

    @Test
    void readsAComputedDatasetFromItsFiles() throws IOException {
        HearthContext context = open();
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        Rdd<Pair<Integer, List<Integer>>> groups = context.parallelize(numbers(100), 3)
                .map(n -> {
                    computed.add(1L);
                    return n;
                })
                .groupBy(n -> n % 7);
        Rdd<Integer> sizes = groups.map(group -> group.value().size());
        groups.checkpoint();
        assertFalse(groups.isCheckpointed());
        assertEquals(7, sizes.count(), "created before the checkpoint was requested, and depends on it");
        assertTrue(groups.isCheckpointed());
        assertEquals(groups.partitions() + 2, files().size(), "with _SUCCESS and the manifest");
        assertEquals(
                directory.resolve(context.applicationId()).resolve("rdd-" + groups.id()),
                files().get(0).getParent());
        long before = computed.value();
        ((DriverContext) context).driver().forgetShuffle(0);
        assertEquals(100, sizes.reduce(Integer::sum));
        assertEquals(7, groups.collect().size());
        assertEquals(before, computed.value());
        groups.checkpoint();
        assertEquals(7, groups.count());
    }

    @Test
    void refusesWithoutADirectory() {
        Rdd<Integer> dataset = local.open().parallelize(numbers(10), 2);
        HearthException failure = assertThrows(HearthException.class, dataset::checkpoint);
        assertTrue(failure.getMessage().contains("hearth.checkpoint.dir"), failure.getMessage());
        assertEquals(10, dataset.count());
    }

    @Test
    void takesItsDirectoryFromASetting() {
        HearthContext context = local.open(Map.of("hearth.checkpoint.dir", directory.toString()));
        Rdd<Integer> dataset = context.parallelize(numbers(10), 2).map(n -> n + 1);
        dataset.checkpoint();
        assertEquals(55, dataset.reduce(Integer::sum));
        assertTrue(dataset.isCheckpointed());
        assertEquals(55, dataset.reduce(Integer::sum));
    }

    @Test
    void leavesNoFilesWhenItCannotBeWritten() throws IOException {
        HearthContext context = local.open(Map.of("hearth.task.maxFailures", "1"));
        TestingPath file = TestingFiles.writeString(directory.resolve("file"), "no directory");
        context.checkpointDirectory(file.toString());
        Rdd<Integer> dataset = context.parallelize(numbers(10), 2).map(n -> n + 1);
        dataset.checkpoint();
        HearthException failure = assertThrows(HearthException.class, dataset::count);
        assertEquals("DISK_FAILED", failure.code());
        assertFalse(dataset.isCheckpointed());
        context.checkpointDirectory(directory.resolve("other").toString());
        assertEquals(10, dataset.count(), "the next action retries");
        assertTrue(dataset.isCheckpointed());
    }

    @Test
    void namesAMissingOrCorruptFile() throws IOException {
        HearthContext context = local.open(Map.of(
                "hearth.task.maxFailures", "1",
                "hearth.files.ignoreMissingFiles", "true",
                "hearth.files.ignoreCorruptFiles", "true"));
        context.checkpointDirectory(directory.toString());
        Rdd<Integer> dataset = context.parallelize(numbers(1_000), 2).map(n -> n + 1);
        dataset.checkpoint();
        assertEquals(1_000, dataset.count());
        TestingPath part = files().stream()
                .filter(path -> path.getFileName().toString().startsWith("part-00001"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = TestingFiles.readAllBytes(part);
        byte[] damaged = bytes.clone();
        damaged[bytes.length / 2] ^= 4;
        TestingFiles.write(part, damaged);
        HearthException failure = assertThrows(HearthException.class, dataset::count);
        assertTrue(failure.getMessage().contains(part.toString()), failure.getMessage());
        TestingFiles.delete(part);
        failure = assertThrows(HearthException.class, dataset::count);
        assertTrue(failure.getMessage().contains(part.toString()), failure.getMessage());
        TestingFiles.write(part, bytes);
        assertEquals(1_000, dataset.count());
    }

    @Test
    void truncatesTheLineageOfIterativePrograms() {
        HearthContext context = open();
        Rdd<Integer> dataset = context.parallelize(numbers(20), 2);
        WeakReference<Rdd<Integer>> early = new WeakReference<>(dataset);
        WeakReference<Object> shuffled = new WeakReference<>(new Object());
        for (int round = 1; round <= 1_000; round++) {
            if (round == 500) {
                PairRdd<Integer, Integer> reduced =
                        dataset.mapToPair(n -> Pair.of(n, n)).reduceByKey(Integer::sum, 2);
                shuffled = new WeakReference<>(reduced);
                dataset = reduced.keys();
            }
            dataset = dataset.map(n -> n + 1);
            if (round % 20 == 0) {
                dataset.checkpoint();
                assertEquals(20, dataset.count());
            }
        }
        List<Integer> sorted = dataset.collect().stream().sorted().toList();
        assertEquals(numbers(20).stream().map(n -> n + 1_000).toList(), sorted);
        assertTrue(isCollected(early), "the initial dataset");
        assertTrue(isCollected(shuffled));
    }

    @Test
    void keepsALocalCheckpointAndDropsItsLineage() {
        HearthContext context = local.open(Map.of("hearth.task.maxFailures", "2"));
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        Rdd<Integer> dataset = context.parallelize(numbers(100), 4)
                .map(n -> {
                    computed.add(1L);
                    return n + 1;
                })
                .cache();
        dataset.localCheckpoint();
        assertEquals(StorageLevel.MEMORY_AND_DISK, dataset.storageLevel());
        assertEquals(1, dataset.first());
        assertTrue(dataset.isCheckpointed());
        assertEquals(100, computed.value(), "each partition once, however many the action needed");
        assertEquals(5_050, dataset.reduce(Integer::sum));
        assertEquals(100, computed.value());
        HearthException refused = assertThrows(HearthException.class, () -> dataset.unpersist(true));
        assertEquals("BAD_ARGUMENT", refused.code());
        ((DriverContext) context).driver().data().kept().remove(dataset.id());
        HearthException lost = assertThrows(HearthException.class, dataset::count);
        assertTrue(lost.getMessage().contains("checkpointed locally"), lost.getMessage());
    }

    @Test
    void removesTheFilesOfDroppedDatasetsIfConfigured() throws IOException {
        HearthContext context = local.open(Map.of(
                "hearth.cleaner.referenceTracking.cleanCheckpoints",
                "true",
                "hearth.checkpoint.dir",
                directory.toString()));
        WeakReference<Rdd<Integer>> dropped = new WeakReference<>(checkpointed(context));
        assertFalse(files().isEmpty());
        assertTrue(isCollected(dropped));
        assertNull(dropped.get());
        while (!files().isEmpty()) { // until garbage collection detects it; the test has a bound
            System.gc();
            assertEquals(1, context.parallelize(List.of(1), 1).count());
        }
    }

    private static Rdd<Integer> checkpointed(HearthContext context) {
        Rdd<Integer> dataset = context.parallelize(numbers(10), 2).map(n -> n + 1);
        dataset.checkpoint();
        assertEquals(10, dataset.count());
        return dataset;
    }
}
