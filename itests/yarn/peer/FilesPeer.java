import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.hadoop.HadoopOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TextOutputFormat;

/** Measures files of HDFS for files.py, which says what is printed. */
public final class FilesPeer {
    private static final AtomicLong LAST_LINE = new AtomicLong();

    public static void main(String[] args) throws Exception {
        try (HearthContext context = HearthContext.builder().name("files").open()) {
            switch (args[0]) {
                case "words" -> words(context, args);
                case "commit" -> commit(context, args[1], args[2], Integer.parseInt(args[3]));
                default -> memory(context, args[1]);
            }
        }
    }

    /** Counts words of each file in turn, as often as args[1] says; prints the file's number and milliseconds. */
    private static void words(HearthContext context, String[] args) {
        for (int round = 0; round < Integer.parseInt(args[1]); round++) {
            for (int i = 2; i < args.length; i++) {
                long before = System.nanoTime();
                long words = context.textFile(args[i])
                        .flatMap(line -> Arrays.asList(line.split(" ")).iterator())
                        .mapToPair(word -> Pair.of(word, 1))
                        .reduceByKey(Integer::sum)
                        .count();
                System.out.println("words " + (i - 2) + " " + (System.nanoTime() - before) / 1_000_000 + " " + words);
            }
        }
    }

    /**
     * Writes parts of one line each; prints the milliseconds from the last line to the end of the commit. Tasks run in
     * this process: an event for the end of the job would come late if there are many of them.
     */
    private static void commit(HearthContext context, String by, String directory, int parts) throws Exception {
        List<Integer> numbers = IntStream.range(0, parts).boxed().toList();
        Rdd<Integer> lines = context.parallelize(numbers, parts).map(number -> {
            LAST_LINE.set(System.nanoTime());
            return number;
        });
        if (by.equals("own")) {
            lines.saveAsTextFile(directory);
        } else {
            HadoopOutput.of(lines.mapToPair(number -> Pair.of(NullWritable.get(), new Text(number.toString()))))
                    .saveAsHadoopFile(directory, NullWritable.class, Text.class, TextOutputFormat.class);
        }
        System.out.println("commit " + (System.nanoTime() - LAST_LINE.get()) / 1_000_000);
    }

    /** Reads a file in an executor; prints its resident memory in kilobytes after that. */
    private static void memory(HearthContext context, String file) {
        System.out.println("lines " + context.textFile(file).count());
        System.out.println("memory " + context.parallelize(List.of(1), 1).map(task -> {
            System.gc();
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll("\\D", "");
        }).first());
    }
}
