package dev.hearth.itests.endtoend.app;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs jobs of many kinds, at least once and repeatedly until the file {@code args[0]} exists. Prints the number of
 * jobs and the number of wrong results; the expected results are fixed. The file {@code args[0].jobs} has a byte for
 * each round.
 */
public final class MixedJobs {
    private static final int NUMBERS = 30_000;
    private static final int KEYS = 1_000;
    private static final int MAPS = 6;
    private static final int READERS = 4;
    private static final long SUM = NUMBERS * (NUMBERS - 1L) / 2;

    private static final int LARGE_BYTES =
            2 << 20; // larger than a message: the executor stores it until the driver fetches it
    private static final List<StorageLevel> LEVELS =
            List.of(StorageLevel.MEMORY_AND_DISK_2, StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY_2);

    private final HearthContext context;
    private int rounds;
    private int jobs;
    private int wrong;

    private MixedJobs(HearthContext context) {
        this.context = context;
    }

    public static void main(String[] args) throws Exception {
        try (HearthContext context = HearthContext.builder().name("mixed jobs").open()) {
            MixedJobs mixed = new MixedJobs(context);
            do {
                mixed.reduceAndJoin();
                mixed.sort();
                mixed.keep();
                mixed.broadcast();
                mixed.largeResult();
                mixed.beside();
                mixed.spread();
                mixed.save(args[0] + ".output");
                mixed.rounds++;
                Files.write(
                        Path.of(args[0] + ".jobs"), new byte[1], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } while (!Files.exists(Path.of(args[0])));
            System.out.println(mixed.wrong + " wrong of many: " + (mixed.jobs > 0));
            System.err.println("jobs: " + mixed.jobs);
        }
    }

    private void expect(boolean right, String what) {
        jobs++;
        if (!right) {
            wrong++;
            System.err.println("wrong: " + what);
        }
    }

    private Rdd<Integer> numbers() {
        return context.parallelize(IntStream.range(0, NUMBERS).boxed().toList(), MAPS);
    }

    private void reduceAndJoin() {
        PairRdd<Integer, Long> sums = numbers()
                .mapToPair(number -> Pair.of(number % KEYS, (long) number))
                .reduceByKey(Long::sum, READERS);
        Map<Integer, Long> found = sums.collectAsMap();
        long all = found.values().stream().mapToLong(Long::longValue).sum();
        expect(found.size() == KEYS && all == SUM, "sums: " + found.size() + " of " + all);
        PairRdd<Integer, List<Integer>> groups =
                numbers().keyBy(number -> number % KEYS).groupByKey(READERS);
        long joined = sums.join(groups)
                .filter(pair -> pair.value().key()
                        == pair.value().value().stream()
                                .mapToLong(Integer::longValue)
                                .sum())
                .count();
        expect(joined == KEYS, "joined: " + joined);
    }

    private void sort() {
        List<Integer> sorted = numbers()
                .sortBy(number -> (number * 7_919L) % NUMBERS, true, READERS)
                .collect();
        boolean inOrder = IntStream.range(1, sorted.size())
                .allMatch(at -> sorted.get(at - 1) * 7_919L % NUMBERS <= sorted.get(at) * 7_919L % NUMBERS);
        expect(sorted.size() == NUMBERS && inOrder, "sorted: " + sorted.size() + " in order: " + inOrder);
    }

    private void keep() {
        StorageLevel level = LEVELS.get(rounds % LEVELS.size());
        Rdd<Long> kept = numbers().map(Integer::longValue).persist(level);
        long sum = kept.reduce(Long::sum);
        long again = kept.repartition(READERS).reduce(Long::sum);
        long distinct = kept.map(number -> number % KEYS).distinct(READERS).count();
        kept.unpersist();
        expect(sum == SUM && again == SUM && distinct == KEYS, "kept: " + sum + ", " + again + ", " + distinct);
    }

    private void broadcast() {
        long[] values = new long[100_000];
        Arrays.setAll(values, at -> at);
        Broadcast<long[]> shared = context.broadcast(values);
        long sum = numbers().map(number -> shared.value()[number]).reduce(Long::sum);
        shared.destroy();
        expect(sum == SUM, "broadcast: " + sum);
    }

    private void largeResult() {
        List<byte[]> large = context.parallelize(List.of(1, 2), 2)
                .map(number -> {
                    byte[] bytes = new byte[LARGE_BYTES];
                    Arrays.fill(bytes, number.byteValue());
                    return bytes;
                })
                .collect();
        boolean right = large.size() == 2;
        for (int at = 0; right && at < large.size(); at++) {
            byte[] expected = new byte[LARGE_BYTES];
            Arrays.fill(expected, (byte) (at + 1));
            right = Arrays.equals(expected, large.get(at));
        }
        expect(right, "large results: " + large.size());
    }

    /** Two concurrent jobs, which share their first map stage. */
    private void beside() throws Exception {
        PairRdd<Integer, Long> sums = numbers()
                .mapToPair(number -> Pair.of(number % KEYS, (long) number))
                .reduceByKey(Long::sum, READERS);
        JobFuture<Long> counting = sums.countAsync();
        JobFuture<List<Pair<Integer, Long>>> collecting = sums.collectAsync();
        long all = collecting.get().stream().mapToLong(Pair::value).sum();
        expect(counting.get() == KEYS && all == SUM, "beside one another: " + counting.get() + ", " + all);
    }

    /**
     * Repartitions records whose order differs on each run: a repeated map task must assign them to the same
     * partitions.
     */
    private void spread() {
        List<Pair<Integer, Long>> spread = numbers()
                .mapToPair(number -> Pair.of(number % KEYS, (long) number))
                .reduceByKey(Long::sum, READERS)
                .repartition(MAPS)
                .collect();
        Map<Integer, List<Long>> found = new TreeMap<>();
        spread.forEach(pair ->
                found.computeIfAbsent(pair.key(), key -> new ArrayList<>()).add(pair.value()));
        boolean right = spread.size() == KEYS && found.size() == KEYS;
        for (int key = 0; right && key < KEYS; key++) {
            long times = NUMBERS / KEYS;
            right = found.get(key).equals(List.of(times * key + KEYS * times * (times - 1) / 2));
        }
        expect(right, "spread: " + spread.size() + " of " + found.size() + " keys");
    }

    private void save(String place) throws IOException {
        Path output = Path.of(place);
        numbers().saveAsTextFile(output.toUri().toString()); // on YARN, a path alone is one of HDFS
        List<String> lines = new ArrayList<>();
        List<Path> all;
        try (Stream<Path> files = Files.walk(output)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            if (file.getFileName().toString().startsWith("part-")) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        lines.sort(Comparator.comparing(Integer::valueOf));
        boolean once = lines.equals(
                IntStream.range(0, NUMBERS).mapToObj(String::valueOf).toList());
        boolean committed = Files.exists(output.resolve("_SUCCESS"))
                && all.stream().noneMatch(file -> file.toString().contains("_temporary"));
        expect(once && committed, "saved: " + lines.size() + " lines, " + all);
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
