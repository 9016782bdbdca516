package dev.hearth.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.task.TaskContext;
import dev.hearth.api.task.TaskMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContext;
import org.apache.hadoop.mapred.OutputCommitter;
import org.apache.hadoop.mapred.RecordWriter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TaskAttemptContext;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.mapred.TextOutputFormat;
import org.apache.hadoop.mapred.lib.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Committers and formats of applications, the names of jobs, and the metrics of reads and writes by formats. */
@Timeout(120)
class HadoopOutputTest {
    private static final int LINES = 1_000;
    private static final Queue<String> CALLS = new ConcurrentLinkedQueue<>();

    @TempDir
    Path directory;

    private HearthContext context;
    private HadoopContext hadoop;

    @BeforeEach
    void open() {
        CALLS.clear();
        context = HearthContext.builder().name("output").master("local[2]").open();
        hadoop = HadoopContext.of(context);
    }

    @AfterEach
    void close() {
        context.close();
    }

    /** Committer that notes its calls, with the ids of their jobs. */
    public static final class Noting extends OutputCommitter {
        @Override
        public void setupJob(JobContext job) {
            CALLS.add("setup " + job.getJobID());
        }

        @Override
        public void commitJob(JobContext job) {
            CALLS.add("commit " + job.getJobID());
        }

        @Override
        public void abortJob(JobContext job, int status) {
            CALLS.add("abort job");
        }

        @Override
        public void setupTask(TaskAttemptContext task) {
            CALLS.add("task " + task.getJobID() + " " + task.getJobConf().get("mapreduce.job.id"));
        }

        @Override
        public boolean needsTaskCommit(TaskAttemptContext task) {
            return true;
        }

        @Override
        public void commitTask(TaskAttemptContext task) {
            CALLS.add("commit task of " + task.getTaskAttemptID().getTaskID().getId());
        }

        @Override
        public void abortTask(TaskAttemptContext task) {
            CALLS.add("abort task");
        }
    }

    /** Format that writes nothing and notes when its writer is closed. It needs no path. */
    public static final class Nowhere implements org.apache.hadoop.mapred.OutputFormat<IntWritable, NullWritable> {
        @Override
        public RecordWriter<IntWritable, NullWritable> getRecordWriter(
                FileSystem ignored, JobConf job, String name, Progressable progress) {
            return new RecordWriter<>() {
                @Override
                public void write(IntWritable key, NullWritable value) {
                    CALLS.add("write " + key);
                }

                @Override
                public void close(Reporter reporter) {
                    CALLS.add("close");
                }
            };
        }

        @Override
        public void checkOutputSpecs(FileSystem ignored, JobConf job) {
            CALLS.add("check");
        }
    }

    /** Format that needs its configuration before it makes a writer. */
    public static final class Configured
            extends org.apache.hadoop.mapreduce.lib.output.NullOutputFormat<IntWritable, NullWritable>
            implements Configurable {
        private Configuration own;

        @Override
        public void setConf(Configuration configuration) {
            own = configuration;
        }

        @Override
        public Configuration getConf() {
            return own;
        }

        @Override
        public org.apache.hadoop.mapreduce.RecordWriter<IntWritable, NullWritable> getRecordWriter(
                org.apache.hadoop.mapreduce.TaskAttemptContext task) {
            CALLS.add("configured " + (own != null && own.get("own.key").equals("value")));
            return super.getRecordWriter(task);
        }
    }

    private PairRdd<IntWritable, NullWritable> numbers(int count) {
        return context.parallelize(List.of(1, 2, 3).subList(0, count), count)
                .mapToPair(number -> Pair.of(new IntWritable(number), NullWritable.get()));
    }

    private JobConf nowhere() {
        JobConf job = new JobConf(hadoop.hadoopConfiguration());
        job.setOutputFormat(Nowhere.class);
        job.setOutputCommitter(Noting.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(NullWritable.class);
        return job;
    }

    @Test
    void usesTheCommitterOfTheJobWithOneIdEverywhere() {
        HadoopOutput.of(numbers(3)).saveAsHadoopDataset(nowhere());
        List<String> calls = List.copyOf(CALLS);
        String id = calls.stream()
                .filter(call -> call.startsWith("setup "))
                .findFirst()
                .orElseThrow()
                .substring("setup ".length());
        assertEquals(id, JobID.forName(id).toString());
        assertEquals(3, calls.stream().filter(("task " + id + " " + id)::equals).count(), calls::toString);
        assertEquals(List.of("check", "setup " + id), calls.subList(0, 2));
        assertEquals("commit " + id, calls.get(calls.size() - 1));
        assertEquals(
                new TreeSet<>(List.of("commit task of 0", "commit task of 1", "commit task of 2")),
                new TreeSet<>(calls.stream()
                        .filter(call -> call.startsWith("commit task"))
                        .toList()));
    }

    @Test
    void formatsThatNeedNoPathGetNone() {
        JobConf odd = nowhere();
        odd.set("mapreduce.output.fileoutputformat.outputdir", "test:");
        HadoopOutput.of(numbers(1)).saveAsHadoopDataset(odd);
        assertTrue(CALLS.contains("write 1"), CALLS::toString);
    }

    @Test
    void configuresFormats() throws Exception {
        org.apache.hadoop.mapreduce.Job job = org.apache.hadoop.mapreduce.Job.getInstance(hadoop.hadoopConfiguration());
        job.getConfiguration().set("own.key", "value");
        job.setOutputFormatClass(Configured.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(NullWritable.class);
        HadoopOutput.of(numbers(1)).saveAsNewAPIHadoopDataset(job.getConfiguration());
        assertEquals(List.of("configured true"), List.copyOf(CALLS));
    }

    @Test
    void callsListenersOfAFailureBeforeItClosesTheWriter() {
        PairRdd<IntWritable, NullWritable> broken = context.parallelize(List.of(1), 1)
                .mapToPair(number -> {
                    TaskContext.current().onFailure(failure -> CALLS.add("failure listener"));
                    throw new IllegalStateException("broken on purpose");
                });
        assertThrows(HearthException.class, () -> HadoopOutput.of(broken).saveAsHadoopDataset(nowhere()));
        List<String> calls = List.copyOf(CALLS);
        int listener = calls.indexOf("failure listener");
        assertEquals(List.of("close", "abort task"), calls.subList(listener + 1, listener + 3));
        assertEquals("abort job", calls.get(calls.size() - 1));
    }

    @Test
    void namesOfJobsDifferAndAreReadByHadoop() {
        AttemptIds one = new AttemptIds("a1", 7, 3);
        assertEquals("attempt_a1_0000_m_000007_3", one.attemptId().toString());
        assertEquals(one.jobId(), JobID.forName(one.jobId().toString()));
        HadoopOutput.of(numbers(1)).saveAsHadoopDataset(nowhere());
        HadoopOutput.of(numbers(1)).saveAsHadoopDataset(nowhere());
        List<String> ids = CALLS.stream()
                .filter(call -> call.startsWith("setup "))
                .distinct()
                .toList();
        assertEquals(2, ids.size(), ids::toString);
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

    private Path lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            lines.add("line " + i);
        }
        return Files.write(Files.createDirectories(directory.resolve("in")).resolve("lines.txt"), lines);
    }

    private void read(Path file, PairRdd<LongWritable, Text> records) throws Exception {
        TaskMetrics read = metrics(records::count);
        assertEquals(LINES, read.recordsRead());
        assertTrue(read.inputBytes() >= Files.size(file), read::toString);
        TaskMetrics coalesced = metrics(() -> records.coalesce(1).count());
        assertEquals(read.inputBytes(), coalesced.inputBytes());
    }

    @Test
    void countsWhatFormatsRead() throws Exception {
        Path file = lines();
        String path = file.toString();
        read(file, hadoop.hadoopFile(path, TextInputFormat.class, LongWritable.class, Text.class, 2));
        read(
                file,
                hadoop.newAPIHadoopFile(
                        path,
                        org.apache.hadoop.mapreduce.lib.input.TextInputFormat.class,
                        LongWritable.class,
                        Text.class));
        read(file, hadoop.hadoopFile(path, CombineTextInputFormat.class, LongWritable.class, Text.class, 2));
        read(
                file,
                hadoop.newAPIHadoopFile(
                        path,
                        org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat.class,
                        LongWritable.class,
                        Text.class));
    }

    @Test
    void countsWhatIsReadInAnotherThread() throws Exception {
        Path file = lines();
        PairRdd<LongWritable, Text> records = hadoop.newAPIHadoopFile(
                file.toString(),
                org.apache.hadoop.mapreduce.lib.input.TextInputFormat.class,
                LongWritable.class,
                Text.class);
        TaskMetrics read = metrics(
                () -> records.mapPartitions(HadoopOutputTest::inAnotherThread).count());
        assertEquals(LINES, read.recordsRead());
        assertTrue(read.inputBytes() >= Files.size(file), read::toString);
    }

    private static Iterator<String> inAnotherThread(Iterator<Pair<LongWritable, Text>> records) throws Exception {
        FutureTask<List<String>> all = new FutureTask<>(() -> {
            List<String> texts = new ArrayList<>();
            records.forEachRemaining(pair -> texts.add(pair.value().toString()));
            return texts;
        });
        Thread thread = new Thread(all, "reads");
        thread.start();
        thread.join();
        return all.get().iterator();
    }

    @Test
    void countsWhatFormatsWrite() throws Exception {
        PairRdd<IntWritable, NullWritable> data = numbers(3);
        TaskMetrics old = metrics(() -> HadoopOutput.of(data)
                .saveAsHadoopFile(
                        directory.resolve("old").toString(),
                        IntWritable.class,
                        NullWritable.class,
                        TextOutputFormat.class));
        TaskMetrics young = metrics(() -> HadoopOutput.of(data)
                .saveAsNewAPIHadoopFile(
                        directory.resolve("new").toString(),
                        IntWritable.class,
                        NullWritable.class,
                        org.apache.hadoop.mapreduce.lib.output.TextOutputFormat.class));
        for (TaskMetrics written : List.of(old, young)) {
            assertEquals(3, written.recordsWritten());
            assertTrue(written.outputBytes() >= 3L * "1\n".length(), written::toString);
        }
        assertFalse(Files.exists(directory.resolve("old/_temporary")));
    }
}
