package dev.hearth.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.task.TaskMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TextInputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows of docs/suites-hadoop.md that no other test has. */
@Timeout(120)
class HadoopSuitesTest {
    @TempDir
    Path directory;

    private HearthContext context;

    @BeforeEach
    void open() {
        open(Map.of());
    }

    private void open(Map<String, String> settings) {
        HearthContext.Builder builder = HearthContext.builder().name("suites").master("local[2]");
        settings.forEach(builder::setting);
        context = builder.open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    /** Metrics of the next stage that ends. */
    private static final class StageMetrics implements ApplicationListener {
        private final CompletableFuture<TaskMetrics> metrics = new CompletableFuture<>();

        @Override
        public void on(ApplicationEvent event) {
            if (event instanceof ApplicationEvent.StageCompleted completed) {
                metrics.complete(completed.metrics());
            }
        }
    }

    private TaskMetrics metrics(Runnable job) throws Exception {
        StageMetrics listener = new StageMetrics();
        context.addListener(listener);
        job.run();
        return listener.metrics.get(1, TimeUnit.MINUTES);
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.write(directory.resolve(name), List.of(lines));
    }

    @Test
    void refusesRecordsWithoutLength() throws Exception {
        Path file = write("records", "123456");
        for (int length : new int[] {-1, 0}) {
            HearthException refused = assertThrows(
                    HearthException.class,
                    () -> context.binaryRecords(file.toString(), length).count());
            assertEquals("BAD_ARGUMENT", refused.code());
        }
    }

    @Test
    void readsACachedFileAgain() throws Exception {
        Path file = write("cached", "Hello world!", "What's up?", "Goodbye");
        Rdd<String> lines = context.textFile(file.toString()).cache();
        assertTrue(metrics(lines::count).inputBytes() >= Files.size(file));
        TaskMetrics cached = metrics(lines::count);
        assertTrue(cached.inputBytes() > 0, "bytes of the cache");
        assertEquals(3, cached.recordsRead());
        assertEquals(
                cached.inputBytes(), metrics(() -> lines.coalesce(1).count()).inputBytes());
        assertEquals(3, lines.count());
    }

    @Test
    void countsBothInputsOfACartesianProduct() throws Exception {
        Path few = write("few", "a", "b");
        Path many = write("many", "1", "2", "3", "4");
        Rdd<String> left = context.textFile(few.toString(), 1);
        Rdd<String> right = context.textFile(many.toString(), 1);
        TaskMetrics product =
                metrics(() -> assertEquals(8, left.cartesian(right).count()));
        assertTrue(product.inputBytes() >= Files.size(few) + Files.size(many), product::toString);
    }

    @Test
    void filesThatVanishAreLeftOutIfAskedFor() throws Exception {
        assertThrows(HearthException.class, () -> vanishing("one").count());
        context.close();
        open(Map.of("spark.files.ignoreMissingFiles", "true"));
        assertEquals(0, vanishing("two").count());
        Path text = write("text", "a");
        Rdd<String> lines = context.textFile(text.toString());
        Files.delete(text);
        assertEquals(0, lines.count());
    }

    /** Its splits are known when the file is removed. */
    private PairRdd<LongWritable, Text> vanishing(String name) throws IOException {
        Path file = write(name, "hello", "world");
        PairRdd<LongWritable, Text> records = HadoopContext.of(context)
                .hadoopFile(file.toString(), TextInputFormat.class, LongWritable.class, Text.class, 1);
        Files.delete(file);
        return records;
    }

    @Test
    void checkpointsADatasetWithoutPartitions() {
        context.checkpointDirectory(directory.resolve("checkpoints").toString());
        Rdd<Integer> none = context.emptyRdd();
        none.checkpoint();
        assertEquals(0, none.count());
        assertTrue(none.isCheckpointed());
        assertEquals(0, none.partitions());
        assertEquals(List.of(), none.collect());
    }
}
