package dev.hearth.engine.internal.driver.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.HearthFiles;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.TaskContext;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.storage.StoreTrait;
import dev.hearth.testkit.FakeTicker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** Files of a store in memory with faults, through the whole driver. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class StoredFilesTest {
    private static final String FILE = "mem://test/in/file.txt";

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open(Map.of("hearth.task.maxFailures", "1"));

    private static HearthException refused(String code, String message, Executable use) {
        HearthException refused = assertThrows(HearthException.class, use);
        assertEquals(code, refused.code(), refused::getMessage);
        assertTrue(refused.getMessage().contains(message), refused::getMessage);
        return refused;
    }

    private List<Integer> numbers() {
        return IntStream.range(0, 100).boxed().toList();
    }

    @Test
    void opensOneStoreAndClosesItWithTheContext() throws IOException {
        local.memory.write(FILE, "a\nb\n");
        assertEquals(0, local.memory.opened());
        assertEquals(2, context.textFile("mem://test/in").count());
        assertEquals(2, context.textFile("mem://test/*/f*").count());
        assertEquals(1, local.memory.opened());
        context.close();
        assertEquals(0, local.memory.openStores());
    }

    @Test
    void namesTheFileWhenReadingFailsHalfWay() throws IOException {
        local.memory.write(FILE, "a line\n".repeat(1000));
        Rdd<String> lines = context.textFile(FILE, 1);
        local.memory.failReadsAfter(500);
        refused(
                "TASK_FAILED",
                "file " + FILE + ": cannot be read at byte 500, the connection to the storage was lost",
                lines::count);
        local.memory.heal();
        assertEquals(1000, lines.count());
    }

    @Test
    void reportsFilesThatVanishUnlessTheyAreIgnored() throws IOException {
        local.memory.write(FILE, "a\n");
        local.memory.vanish(file -> true);
        Rdd<String> lines = context.textFile(FILE, 1);
        refused("TASK_FAILED", "file " + FILE + ": is missing", lines::count);
        HearthContext ignoring = local.open(Map.of("hearth.files.ignoreMissingFiles", "true"));
        local.memory.write(FILE, "a\n");
        assertEquals(0, ignoring.textFile(FILE, 1).count());
    }

    @Test
    void namesRefusedFiles() throws IOException {
        local.memory.write(FILE, "a\n");
        local.memory.refuse(file -> file.name().equals("file.txt"));
        refused(
                "PATH_MISSING",
                "input path " + FILE + ": cannot be inspected, java.nio.file.AccessDenied",
                () -> context.textFile(FILE));
    }

    @Test
    void leavesNoOutputWhenWritingFailsHalfWay() throws IOException {
        local.memory.failWritesAfter(10);
        refused(
                "TASK_FAILED",
                "output mem://test/out/_temporary/",
                () -> context.parallelize(numbers(), 2).saveAsTextFile("mem://test/out"));
        local.memory.heal();
        assertEquals(List.of(), local.memory.all());
        context.parallelize(numbers(), 2).saveAsTextFile("mem://test/out");
        assertEquals(100, context.textFile("mem://test/out").count());
    }

    @Test
    void readsItsOwnOutputWhenListingsShowNewFilesLate() {
        local.memory.hideFromListings(1000);
        context.parallelize(numbers(), 3).saveAsObjectFile("mem://test/objects");
        assertEquals(
                numbers(), context.<Integer>objectFile("mem://test/objects", 3).collect());
        context.checkpointDirectory("mem://test/checkpoints");
        Rdd<Integer> numbers = context.parallelize(numbers(), 3).map(number -> number + 1);
        numbers.checkpoint();
        assertEquals(100, numbers.count());
        assertEquals(100, numbers.count());
        assertTrue(numbers.isCheckpointed());
    }

    @Test
    void worksOnASlowStore() throws IOException {
        FakeTicker ticker = new FakeTicker();
        local.memory.slow(ticker, Duration.ofMinutes(1));
        local.memory.write(FILE, "a\n");
        assertEquals(1, context.textFile(FILE, 1).count());
        assertTrue(ticker.nanos() >= Duration.ofMinutes(2).toNanos(), "looked at and read");
    }

    @Test
    void refusesOutputOnStoresThatCannotCommitIt() {
        local.memory.without(StoreTrait.ATOMIC_RENAME);
        HearthException refused = refused(
                "BAD_ARGUMENT",
                "output directory mem://test/out: the file store for scheme 'mem' cannot rename files (expected: ",
                () -> context.parallelize(numbers(), 2).saveAsTextFile("mem://test/out"));
        assertTrue(refused.getMessage().endsWith("; write to another store"), refused::getMessage);
        local.memory.with(StoreTrait.COPYING_RENAME);
        context.parallelize(numbers(), 2).saveAsTextFile("mem://test/out");
        local.memory.without(StoreTrait.EXCLUSIVE_CREATE);
        refused(
                "BAD_ARGUMENT",
                "cannot reserve a directory for one job",
                () -> context.parallelize(numbers(), 2).saveAsTextFile("mem://test/other"));
    }

    @Test
    void opensFilesInTasksOnly() throws IOException {
        local.memory.write(FILE, "content");
        assertEquals(
                List.of("content"),
                context.binaryStreams(FILE)
                        .map(file -> new String(file.value().bytes(), UTF_8))
                        .collect());
        refused(
                "WRONG_THREAD",
                "file " + FILE + ": opened outside of a task",
                () -> context.binaryStreams(FILE).first().value().open());
    }

    @Test
    void attachesFilesDirectoriesAndArchives() throws IOException {
        local.memory.write(FILE, "content");
        local.memory.write("mem://test/in/deep/er.txt", "deep");
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            out.putNextEntry(new ZipEntry("a.txt"));
            out.write("packed".getBytes(UTF_8));
        }
        local.memory.write("mem://test/z.zip", zip.toByteArray());
        context.addFile(FILE);
        context.addFile("mem://test/in", true);
        context.addArchive("mem://test/z.zip#z");
        context.addJar("mem://test/z.zip");
        List<String> names = List.of("file.txt", "in/file.txt", "in/deep/er.txt", "z/a.txt");
        assertEquals(
                List.of("content", "content", "deep", "packed"),
                context.parallelize(names, 2)
                        .map(name -> {
                            int slash = name.indexOf('/');
                            return slash < 0
                                    ? Files.readString(HearthFiles.path(name))
                                    : Files.readString(HearthFiles.path(name.substring(0, slash))
                                            .resolve(name.substring(slash + 1)));
                        })
                        .collect());
        assertEquals(List.of("z.zip"), context.listJars());
        refused("PATH_MISSING", "addFile: 'mem://test/none': no such file", () -> context.addFile("mem://test/none"));
        local.memory.failReadsAfter(1);
        refused(
                "DISK_FAILED",
                "addFile: 'mem://test/in/deep/er.txt': cannot be fetched",
                () -> context.addFile("mem://test/in/deep/er.txt"));
    }

    @Test
    void countsWhatTasksReadAndWriteThemselves() throws Exception {
        BlockingQueue<TaskMetrics> stages = new LinkedBlockingQueue<>();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.StageCompleted ended) {
                stages.add(ended.metrics());
            }
        });
        context.parallelize(List.of(1, 2), 2).foreachPartition(part -> {
            TaskContext.current().countInput(100, 7);
            TaskContext.current().countOutput(50, 3);
        });
        TaskMetrics metrics = stages.take();
        assertEquals(List.of(200L, 100L), List.of(metrics.inputBytes(), metrics.outputBytes()));
        assertEquals(6, metrics.recordsWritten());
        assertTrue(metrics.recordsRead() >= 14, metrics::toString);
        refused(
                "TASK_FAILED",
                "countInput: -1 bytes, 0 records (expected: 0 or more of each)",
                () -> context.parallelize(List.of(1), 1)
                        .foreach(number -> TaskContext.current().countInput(-1, 0)));
    }
}
