package dev.hearth.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.DeflateCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.mapred.TextOutputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's formats in datasets, compared with what Hadoop's own readers and writers give (row Y25). */
@Timeout(120)
class HadoopFormatsTest {
    private static final List<Class<? extends CompressionCodec>> CODECS = List.of(
            BZip2Codec.class,
            DefaultCodec.class,
            DeflateCodec.class,
            GzipCodec.class,
            Lz4Codec.class,
            SnappyCodec.class);

    @TempDir
    Path directory;

    private HearthContext context;
    private HadoopContext hadoop;

    @BeforeEach
    void open() {
        open(Map.of());
    }

    private void open(Map<String, String> settings) {
        HearthContext.Builder builder = HearthContext.builder().name("formats").master("local[2]");
        settings.forEach(builder::setting);
        context = builder.open();
        hadoop = HadoopContext.of(context);
    }

    @AfterEach
    void close() {
        context.close();
    }

    /** A Writable of the application. */
    public static final class Point implements Writable {
        private int x;
        private int y;

        public Point() {}

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeInt(x);
            out.writeInt(y);
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            x = in.readInt();
            y = in.readInt();
        }
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static List<Pair<String, Integer>> pairs(int seed) {
        Random random = new Random(seed);
        List<Pair<String, Integer>> pairs = new ArrayList<>();
        for (int i = 0, count = 1_000 + random.nextInt(1_000); i < count; i++) {
            pairs.add(Pair.of("key " + random.nextInt(100), random.nextInt()));
        }
        return pairs;
    }

    private Map<String, Long> readByHadoop(String path) throws Exception {
        Map<String, Long> sums = new TreeMap<>();
        Configuration configuration = new Configuration();
        try (Stream<Path> files = Files.list(Path.of(path))) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("part-"))
                    .toList()) {
                try (SequenceFile.Reader reader = new SequenceFile.Reader(
                        configuration, SequenceFile.Reader.file(new org.apache.hadoop.fs.Path(file.toUri())))) {
                    Text key = new Text();
                    IntWritable value = new IntWritable();
                    while (reader.next(key, value)) {
                        sums.merge(key.toString(), (long) value.get(), Long::sum);
                    }
                }
            }
        }
        return sums;
    }

    private static Map<String, Long> sums(List<Pair<String, Integer>> pairs) {
        Map<String, Long> sums = new TreeMap<>();
        pairs.forEach(pair -> sums.merge(pair.key(), (long) pair.value(), Long::sum));
        return sums;
    }

    @Test
    void sequenceFilesOfEachCodecAreThoseOfHadoop() throws Exception {
        List<Pair<String, Integer>> pairs = pairs(1);
        PairRdd<String, Integer> data = context.parallelizePairs(pairs, 3);
        HadoopOutput.of(data).saveAsSequenceFile(path("plain"), String.class, Integer.class);
        assertEquals(sums(pairs), readByHadoop(path("plain")));
        for (Class<? extends CompressionCodec> codec : CODECS) {
            String path = path(codec.getSimpleName());
            HadoopOutput.of(data).saveAsSequenceFile(path, String.class, Integer.class, codec);
            assertEquals(sums(pairs), readByHadoop(path), codec.getSimpleName());
            List<Pair<String, Integer>> read =
                    hadoop.sequenceFile(path, String.class, Integer.class).collect();
            assertEquals(sums(pairs), sums(read), codec.getSimpleName());
            assertTrue(Files.exists(Path.of(path, "_SUCCESS")));
        }
    }

    @Test
    void recordsAreCopiesUnlessReuseIsAskedFor() {
        List<Pair<String, Integer>> pairs = pairs(2);
        HadoopOutput.of(context.parallelizePairs(pairs, 1))
                .saveAsSequenceFile(path("copies"), String.class, Integer.class);
        assertEquals(pairs.size(), distinct(hadoop));
        assertEquals(1, distinct(hadoop.reusing()));
    }

    private int distinct(HadoopContext reader) {
        return reader.<Writable, Writable>input(path("copies"), WritableTypes.sequenceFiles(), 1)
                .pairs()
                .mapPartitions(part -> {
                    List<Object> values = new ArrayList<>();
                    part.forEachRemaining(pair -> values.add(pair.value()));
                    long distinct = values.stream()
                            .map(System::identityHashCode)
                            .distinct()
                            .count();
                    return List.of((int) distinct).iterator();
                })
                .reduce(Integer::sum);
    }

    @Test
    void textByBothApisIsWhatHadoopReads() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            lines.add("line " + i);
        }
        Files.createDirectories(directory.resolve("text"));
        Files.write(directory.resolve("text/a"), lines.subList(0, 3_000));
        Files.write(directory.resolve("text/b"), lines.subList(3_000, 5_000));
        Files.createFile(directory.resolve("text/empty"));
        TreeSet<String> old =
                new TreeSet<>(hadoop.hadoopFile(path("text"), TextInputFormat.class, LongWritable.class, Text.class, 5)
                        .map(pair -> pair.key().get() + ":" + pair.value())
                        .collect());
        TreeSet<String> young = new TreeSet<>(hadoop.newAPIHadoopFile(
                        path("text"),
                        org.apache.hadoop.mapreduce.lib.input.TextInputFormat.class,
                        LongWritable.class,
                        Text.class)
                .map(pair -> pair.key().get() + ":" + pair.value())
                .collect());
        assertEquals(old, young);
        assertEquals(
                new TreeSet<>(lines),
                new TreeSet<>(
                        old.stream().map(line -> line.replaceFirst("\\d+:", "")).toList()));
        HadoopInput<LongWritable, Text> input = hadoop.input(path("text"), TextInputFormat.class, 1);
        assertEquals(2, input.splits(), "empty splits are left out");
        List<String> names = input.mapPartitionsWithInputSplit(HadoopFormatsTest::nameAndCount)
                .collect();
        assertEquals(List.of("a 3000", "b 2000"), names.stream().sorted().toList());
    }

    private static Iterator<String> nameAndCount(Object split, Iterator<Pair<LongWritable, Text>> records) {
        int count = 0;
        while (records.hasNext()) {
            records.next();
            count++;
        }
        return List.of(((FileSplit) split).getPath().getName() + " " + count).iterator();
    }

    @Test
    void emptySplitsArePartitionsIfAskedFor() throws Exception {
        Files.createDirectories(directory.resolve("text"));
        Files.createFile(directory.resolve("text/empty"));
        assertEquals(0, hadoop.input(path("text"), TextInputFormat.class, 1).splits());
        context.close();
        open(Map.of("spark.hadoopRDD.ignoreEmptySplits", "false"));
        assertEquals(1, hadoop.input(path("text"), TextInputFormat.class, 1).splits());
    }

    @Test
    void outputsOfBothApisAndEachCommitter() throws Exception {
        for (String version : List.of("1", "2")) {
            hadoop.hadoopConfiguration().set("mapreduce.fileoutputcommitter.algorithm.version", version);
            PairRdd<Text, IntWritable> records = context.parallelizePairs(pairs(3), 4)
                    .mapToPair(pair -> Pair.of(new Text(pair.key()), new IntWritable(pair.value())));
            HadoopOutput<Text, IntWritable> output = HadoopOutput.of(records).with(hadoop.hadoopConfiguration());
            output.saveAsHadoopFile(path("old" + version), Text.class, IntWritable.class, TextOutputFormat.class);
            output.saveAsNewAPIHadoopFile(
                    path("new" + version),
                    Text.class,
                    IntWritable.class,
                    org.apache.hadoop.mapreduce.lib.output.TextOutputFormat.class);
            TreeSet<String> expected = new TreeSet<>(pairs(3).stream()
                    .map(pair -> pair.key() + "\t" + pair.value())
                    .toList());
            for (String name : List.of("old" + version, "new" + version)) {
                assertEquals(
                        expected, new TreeSet<>(context.textFile(path(name)).collect()), name);
                assertFalse(Files.exists(directory.resolve(name).resolve("_temporary")), name);
                assertTrue(Files.exists(directory.resolve(name).resolve("_SUCCESS")), name);
            }
        }
    }

    @Test
    void theManifestCommitterCommits() throws Exception {
        Configuration configuration = hadoop.hadoopConfiguration();
        configuration.set(
                "mapreduce.outputcommitter.factory.class",
                "org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory");
        PairRdd<Text, NullWritable> records = context.parallelize(List.of("a", "b", "c"), 3)
                .mapToPair(text -> Pair.of(new Text(text), NullWritable.get()));
        HadoopOutput.of(records)
                .with(configuration)
                .saveAsNewAPIHadoopFile(
                        path("manifest"),
                        Text.class,
                        NullWritable.class,
                        org.apache.hadoop.mapreduce.lib.output.TextOutputFormat.class);
        assertEquals(
                List.of("a", "b", "c"),
                context.textFile(path("manifest") + "/part-*").collect().stream()
                        .sorted()
                        .toList());
        assertTrue(Files.readString(directory.resolve("manifest/_SUCCESS")).contains("manifest"));
    }

    @Test
    void aFailedJobLeavesNothing() {
        PairRdd<Text, NullWritable> records = context.parallelize(List.of(1, 2, 3), 3)
                .mapToPair(number -> {
                    if (number == 3) {
                        throw new IllegalStateException("broken on purpose");
                    }
                    return Pair.of(new Text("x"), NullWritable.get());
                });
        assertThrows(
                HearthException.class,
                () -> HadoopOutput.of(records)
                        .saveAsHadoopFile(path("failed"), Text.class, NullWritable.class, TextOutputFormat.class));
        assertFalse(Files.exists(directory.resolve("failed/_SUCCESS")));
        assertFalse(Files.exists(directory.resolve("failed/_temporary")));
    }

    @Test
    void existingOutputsAndMissingInputsAreNamed() throws Exception {
        Files.createDirectories(directory.resolve("there"));
        PairRdd<String, Integer> data = context.parallelizePairs(pairs(4), 1);
        HearthException there = assertThrows(
                HearthException.class,
                () -> HadoopOutput.of(data).saveAsSequenceFile(path("there"), String.class, Integer.class));
        assertEquals("PATH_EXISTS", there.code());
        HearthException missing = assertThrows(
                HearthException.class, () -> hadoop.sequenceFile(path("missing"), String.class, Integer.class));
        assertEquals("PATH_MISSING", missing.code());
        context.close();
        open(Map.of("spark.hadoop.validateOutputSpecs", "false"));
        HadoopOutput.of(context.parallelizePairs(pairs(4), 1))
                .saveAsSequenceFile(path("there"), String.class, Integer.class);
        assertEquals(sums(pairs(4)), readByHadoop(path("there")));
    }

    @Test
    void damagedFilesFailUnlessTheyAreToBeIgnored() throws Exception {
        HadoopOutput.of(context.parallelizePairs(pairs(5), 1))
                .saveAsSequenceFile(path("damaged"), String.class, Integer.class, GzipCodec.class);
        Path part = directory.resolve("damaged/part-00000");
        byte[] bytes = Files.readAllBytes(part);
        Files.delete(directory.resolve("damaged/.part-00000.crc"));
        Files.write(part, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        assertThrows(
                HearthException.class,
                () -> hadoop.sequenceFile(path("damaged"), String.class, Integer.class)
                        .count());
        context.close();
        open(Map.of("spark.files.ignoreCorruptFiles", "true"));
        assertTrue(hadoop.sequenceFile(path("damaged"), String.class, Integer.class)
                        .count()
                < pairs(5).size());
    }

    @Test
    void writablesOfTheApplicationTravel() throws Exception {
        PairRdd<NullWritable, Point> points = context.parallelize(List.of(1, 2, 3), 2)
                .mapToPair(x -> Pair.of(NullWritable.get(), new Point(x, x * x)));
        HadoopOutput.of(points).saveAsSequenceFile(path("points"), NullWritable.class, Point.class);
        List<Integer> squares = hadoop.sequenceFile(path("points"), NullWritable.class, Point.class)
                .map(pair -> pair.value().y)
                .collect();
        assertEquals(List.of(1, 4, 9), squares.stream().sorted().toList());
    }

    @Test
    void laterChangesOfTheConfigurationDoNotReachADataset() throws Exception {
        Files.createDirectories(directory.resolve("delimited"));
        Files.writeString(directory.resolve("delimited/a"), "1;2;3");
        hadoop.hadoopConfiguration().set("textinputformat.record.delimiter", ";");
        JobConf job = new JobConf(hadoop.hadoopConfiguration());
        org.apache.hadoop.mapred.FileInputFormat.setInputPaths(job, path("delimited"));
        PairRdd<LongWritable, Text> records =
                hadoop.hadoopRDD(job, TextInputFormat.class, LongWritable.class, Text.class);
        hadoop.hadoopConfiguration().set("textinputformat.record.delimiter", "!");
        job.set("textinputformat.record.delimiter", "!");
        assertEquals(3, records.count());
    }

    @Test
    void splitsTravelByTheirOwnForm() throws Exception {
        FileSplit split = new FileSplit(new org.apache.hadoop.fs.Path("/a b"), 3, 4, new String[] {"host"});
        FileSplit read = (FileSplit) SplitBytes.of(split).split(new Configuration());
        assertEquals(List.of(split.getPath(), 3L, 4L), List.of(read.getPath(), read.getStart(), read.getLength()));
        assertEquals("text", SplitBytes.of("text").split(new Configuration()));
        assertEquals(
                List.of("cached", "stored"),
                FormatInput.hosts(
                        new org.apache.hadoop.mapred.SplitLocationInfo[] {
                            new org.apache.hadoop.mapred.SplitLocationInfo("stored", false),
                            new org.apache.hadoop.mapred.SplitLocationInfo("cached", true)
                        },
                        new String[] {"stored", "cached", "localhost"}));
    }
}
