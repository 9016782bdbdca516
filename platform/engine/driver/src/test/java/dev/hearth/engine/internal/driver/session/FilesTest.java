package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.Quad;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.Triple;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.task.TaskContext;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.storage.FileName;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import dev.hearth.testkit.storage.TestingStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reading and writing of files, through the whole driver. */
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(60)
class FilesTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    @Parameter
    TestingStorage storage;

    @TempDir
    Path temporary;

    private TestingPath directory;

    @BeforeEach
    void place() throws IOException {
        directory = storage.directory(TestingStores.with(local.memory), temporary);
    }

    @ParameterizedTest(name = "codec ''{0}''")
    @ValueSource(strings = {"", "gz", "zst", "lz4", "bz2", "deflate"})
    void countsTheWordsOfItsOwnOutput(String codec) throws IOException {
        List<String> lines = IntStream.range(0, 1_000)
                .mapToObj(i -> "a b" + i % 10 + " c\u00e9 \ud83d\ude00")
                .collect(Collectors.toList());
        String written = directory.resolve("lines").toString();
        context.parallelize(lines, 3).saveAsTextFile(written, codec);
        assertEquals(lines, context.textFile(written, 5).collect());

        String counted = directory.resolve("counted").toString();
        context.textFile(written, 5)
                .flatMap(line -> Arrays.asList(line.split(" ")).iterator())
                .mapToPair(word -> Pair.of(word, 1))
                .reduceByKey(Integer::sum, 2)
                .map(pair -> pair.key() + "=" + pair.value())
                .saveAsTextFile(counted, codec);
        Map<String, String> counts = context.textFile(counted).collect().stream()
                .map(line -> line.split("="))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        assertEquals("1000", counts.get("c\u00e9"));
        assertEquals("100", counts.get("b7"));
        assertEquals(13, counts.size());
        assertTrue(TestingFiles.exists(place(counted, "_SUCCESS")));
    }

    @ParameterizedTest(name = "codec ''{0}''")
    @ValueSource(strings = {"", "gz"})
    void measuresTheBytesReadAndWritten(String codec) throws Exception {
        BlockingQueue<TaskMetrics> stages = new LinkedBlockingQueue<>();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.StageCompleted ended) {
                stages.add(ended.metrics());
            }
        });
        TestingPath lines = directory.resolve("lines");
        context.range(0, 10_000, 1, 1).map(String::valueOf).saveAsTextFile(lines.toString(), codec);
        long bytes;
        try (Stream<TestingPath> parts = TestingFiles.list(lines)) {
            bytes = TestingFiles.size(
                    parts.filter(path -> path.getFileName().toString().startsWith("part-"))
                            .findFirst()
                            .orElseThrow());
        }
        TaskMetrics wrote = stages.take();
        assertEquals(List.of(0L, bytes), bytes(wrote));
        assertEquals(10_000, wrote.recordsWritten());

        Rdd<String> read = context.textFile(lines.toString(), 1).persist(StorageLevel.MEMORY_ONLY_SER);
        assertEquals(10_000, read.count());
        assertEquals(List.of(bytes, 0L), bytes(stages.take()));
        assertEquals(10_000, read.count());
        assertTrue(stages.take().inputBytes() > 0, "bytes of the cached block");
        context.wholeTextFiles(lines.toString(), 1).count();
        assertEquals(List.of(bytes, 0L), bytes(stages.take()));
    }

    private static List<Long> bytes(TaskMetrics metrics) {
        return List.of(metrics.inputBytes(), metrics.outputBytes());
    }

    @Test
    void writesTuplesAsTexts() throws IOException {
        String out = directory.resolve("tuples").toString();
        context.parallelize(List.of(Pair.of("a", Triple.of(1, null, Quad.of(1, 2, 3, 4)))), 1)
                .saveAsTextFile(out);
        assertEquals(List.of("(a,(1,null,(1,2,3,4)))"), TestingFiles.readAllLines(place(out, "part-00000")));
    }

    @Test
    void keepsObjectsAndWholeFilesAndRecords() throws IOException {
        String objects = directory.resolve("objects").toString();
        List<List<Integer>> input =
                IntStream.range(0, 500).mapToObj(i -> List.of(i, i * i)).toList();
        context.parallelize(input, 4).saveAsObjectFile(objects);
        assertEquals(input, context.<List<Integer>>objectFile(objects, 3).collect());
        TestingFiles.delete(place(objects, "part-00003"));
        HearthException gone = assertThrows(HearthException.class, () -> context.objectFile(objects, 3));
        assertTrue(gone.getMessage().contains("part-00003: is missing"), gone::getMessage);

        TestingPath whole = TestingFiles.createDirectory(directory.resolve("whole"));
        TestingFiles.writeString(whole.resolve("one"), "first\nsecond\n");
        TestingFiles.writeString(whole.resolve("two"), "");
        assertEquals(
                Map.of(
                        whole.resolve("one").toString(), "first\nsecond\n",
                        whole.resolve("two").toString(), ""),
                context.wholeTextFiles(whole.toString()).collectAsMap());
        assertEquals(13, context.binaryFiles(whole + "/one").values().first().length);
        TestingFiles.write(directory.resolve("records"), new byte[] {1, 2, 3, 4, 5, 6});
        List<byte[]> records = context.binaryRecords(
                        directory.resolve("records").toString(), 2)
                .collect();
        assertEquals(3, records.size());
        assertArrayEquals(new byte[] {3, 4}, records.get(1));
    }

    @Test
    void refusesAnExistingDirectoryAndLeavesItUnchanged() throws IOException {
        TestingPath existing = TestingFiles.createDirectory(directory.resolve("existing"));
        HearthException failure = assertThrows(
                HearthException.class, () -> context.parallelize(List.of(1)).saveAsTextFile(existing.toString()));
        assertEquals("PATH_EXISTS", failure.code());
        try (var left = TestingFiles.list(existing)) {
            assertEquals(0, left.count());
        }
        assertEquals(
                "PATH_MISSING",
                assertThrows(HearthException.class, () -> context.textFile(directory + "/nothing"))
                        .code());
    }

    @Test
    void leavesNoOutputOfAFailedJob() throws IOException {
        TestingPath out = directory.resolve("out");
        assertThrows(
                HearthException.class,
                () -> context.parallelize(List.of(1, 2, 3, 4), 4)
                        .map(element -> {
                            if (element == 3) {
                                throw new IllegalStateException("not this one");
                            }
                            return element;
                        })
                        .saveAsTextFile(out.toString()));
        assertFalse(TestingFiles.exists(out));
    }

    @Test
    void commitsEachPartitionOnceWhenAttemptsFailAfterTheirOutput() {
        TestingPath out = directory.resolve("out");
        HearthContext trying = local.open(Map.of("hearth.task.maxFailures", "3"));
        trying.parallelize(List.of(1, 2, 3, 4), 4)
                .map(element -> {
                    TaskContext task = TaskContext.current();
                    if (task.attempt() == 0) {
                        task.onCompletion(ended -> {
                            throw new IllegalStateException("after its output");
                        });
                    }
                    return element;
                })
                .saveAsTextFile(out.toString());
        assertEquals(
                List.of("1", "2", "3", "4"),
                context.textFile(out.toString()).collect().stream().sorted().toList());
    }

    private TestingPath place(String directory, String file) {
        return new TestingPath(this.directory.stores(), FileName.parse(directory)).resolve(file);
    }
}
