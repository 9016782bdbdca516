package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Counts the words of a text file and writes them out: W8. */
public final class WordBench {
    private static final long HASH_FACTOR = 1_000_003L;
    private static final String CONTENTS = Meter.contents("Pair(String Integer)", "read+split+shuffle+write");

    private WordBench() {}

    /** Arguments: {@code client}, then {@code key=value}: file, out, reps, variant. */
    public static void main(String[] words) throws IOException {
        BenchArguments arguments = BenchArguments.of(words);
        String file = arguments.text("file", "words.txt");
        long bytes = Files.size(Path.of(file));
        try (HearthContext context = arguments.open("words")) {
            for (int repetition = 0; repetition <= arguments.repetitions(); repetition++) {
                String directory = arguments.text("out", "words-counted") + "/r" + repetition;
                Meter meter = new Meter();
                context.textFile(file)
                        .flatMap(line -> Arrays.asList(line.split(" ")).iterator())
                        .mapToPair(word -> Pair.of(word, 1))
                        .reduceByKey(Integer::sum)
                        .map(pair -> "(" + pair.key() + "," + pair.value() + ")")
                        .saveAsTextFile(directory);
                meter.report(
                        "W8",
                        "wordcount;bytes=" + bytes + "|" + arguments.text("variant", "local[2]"),
                        repetition,
                        bytes >> 20,
                        "MB/s",
                        () -> checksum(Path.of(directory)) + ";" + CONTENTS);
            }
        }
    }

    /** Over all lines, whatever their order. */
    private static String checksum(Path directory) {
        long words = 0;
        long total = 0;
        long checksum = 0;
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, "part-*")) {
            for (Path part : parts) {
                for (String line : Files.readAllLines(part)) {
                    int comma = line.lastIndexOf(',');
                    long count = Long.parseLong(line.substring(comma + 1, line.length() - 1));
                    words++;
                    total += count;
                    checksum += GeneratedData.mix(line.substring(1, comma).hashCode() * HASH_FACTOR + count);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("output " + directory + ": cannot be read", failure);
        }
        return "words=" + words + ";total=" + total + ";chk=" + Long.toHexString(checksum);
    }
}
