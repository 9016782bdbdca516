package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Jobs of every kind one after the other for some minutes - by key, sorted, joined, kept, to files and back, failing - with what
 * the process holds in between: heap after a collection, threads, open files, temporary files, resident memory. Ends with
 * status 1 when the last third holds clearly more than the one before it, or when a result was wrong.
 */
public final class MixedLoop {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int PARTITIONS = 4;
    private static final double GROWTH_MAX = 1.15;
    private static final int SAMPLES_MIN = 6;
    private static final List<StorageLevel> LEVELS = List.of(
            StorageLevel.MEMORY_ONLY,
            StorageLevel.MEMORY_ONLY_SER,
            StorageLevel.MEMORY_AND_DISK,
            StorageLevel.MEMORY_AND_DISK_SER_2,
            StorageLevel.DISK_ONLY);

    private final HearthContext context;
    private final Path directory;
    private final long records;
    private final List<long[]> samples = new ArrayList<>();
    private int wrong;
    private long jobs;

    private MixedLoop(HearthContext context, Path directory, long records) {
        this.context = context;
        this.directory = directory;
        this.records = records;
    }

    /** Arguments: {@code client}, then {@code key=value}: seconds, records, every (seconds between looks), seed. */
    public static void main(String[] words) throws IOException {
        BenchArguments arguments = BenchArguments.of(words);
        long seed = Long.parseLong(arguments.text("seed", String.valueOf(System.nanoTime())));
        System.out.println("seed " + seed);
        Path directory = Files.createTempDirectory("mixed-loop");
        MixedLoop loop;
        try (HearthContext context = HearthContext.builder()
                .name("mixed")
                .master("local[2]")
                .setting("hearth.local.dir", directory.resolve("local").toString())
                .open()) {
            loop = new MixedLoop(context, directory, Long.parseLong(arguments.text("records", "200000")));
            loop.run(
                    Long.parseLong(arguments.text("seconds", "600")) * NANOS_PER_SECOND,
                    Long.parseLong(arguments.text("every", "10")) * NANOS_PER_SECOND,
                    new Random(seed));
        }
        long left = files(directory);
        remove(directory);
        System.out.println("jobs " + loop.jobs + ", wrong results " + loop.wrong + ", files left " + left);
        boolean flat = loop.isFlat();
        System.out.println(flat ? "flat" : "NOT flat");
        System.exit(flat && loop.wrong == 0 && left == 0 ? 0 : 1);
    }

    private void run(long nanos, long everyNanos, Random random) throws IOException {
        long began = System.nanoTime();
        long looked = began;
        while (System.nanoTime() - began < nanos) {
            jobs++;
            one(random.nextInt(8), random);
            if (System.nanoTime() - looked > everyNanos) {
                look((System.nanoTime() - began) / NANOS_PER_SECOND);
                looked = System.nanoTime();
            }
        }
    }

    private void one(int kind, Random random) {
        switch (kind) {
            case 0 ->
                expect(
                        records,
                        numbers()
                                .mapToPair(n -> Pair.of(n % 1_000, 1L))
                                .reduceByKey(Long::sum, PARTITIONS)
                                .values()
                                .reduce(Long::sum));
            case 1 ->
                expect(
                        records,
                        numbers()
                                .mapToPair(n -> Pair.of("k" + n % 5_000, n))
                                .groupByKey(PARTITIONS)
                                .map(pair -> (long) pair.value().size())
                                .reduce(Long::sum));
            case 2 ->
                expect(
                        0,
                        numbers()
                                .mapToPair(n -> Pair.of(GeneratedData.mix(n), new byte[50]))
                                .sortByKey(true, PARTITIONS)
                                .first()
                                .value()[0]);
            case 3 -> {
                PairRdd<Long, Long> left = numbers().mapToPair(n -> Pair.of(n, n));
                expect(
                        records,
                        left.join(left.mapValues(n -> n + 1), PARTITIONS).count());
            }
            case 4 -> keep(LEVELS.get(random.nextInt(LEVELS.size())));
            case 5 -> dropKept();
            case 6 -> throughFiles();
            default -> fail();
        }
    }

    private Rdd<Long> numbers() {
        return GeneratedElements.dataset(context, records, PARTITIONS, () -> index -> index);
    }

    private void keep(StorageLevel level) {
        Rdd<List<Long>> kept =
                numbers().<List<Long>>map(n -> new ArrayList<>(List.of(n, n))).persist(level);
        expect(records, kept.count());
        expect(records, kept.map(list -> (long) list.size()).reduce(Long::sum) / 2);
        kept.unpersist(false);
    }

    /** The program just lets go of what it kept. */
    private void dropKept() {
        expect(
                records,
                numbers()
                        .map(n -> "s" + n)
                        .persist(StorageLevel.MEMORY_AND_DISK)
                        .count());
    }

    private void throughFiles() {
        Path out = directory.resolve("out-" + jobs);
        numbers().saveAsTextFile(out.toString(), jobs % 2 == 0 ? "gz" : "");
        expect(records, context.textFile(out.toString()).count());
        try {
            remove(out);
        } catch (IOException failure) {
            throw new UncheckedIOException("output " + out + ": cannot be removed", failure);
        }
    }

    private void fail() {
        long last = records - 1;
        try {
            numbers()
                    .mapToPair(n -> {
                        if (n == last) {
                            throw new IllegalStateException("on purpose");
                        }
                        return Pair.of(n % 10, n);
                    })
                    .groupByKey(PARTITIONS)
                    .count();
            wrong++;
        } catch (HearthException expected) {
            if (!String.valueOf(expected.getMessage()).contains("on purpose")) {
                wrong++;
                System.out.println("failed otherwise: " + expected.getMessage());
            }
        }
    }

    private void expect(long expected, long found) {
        if (expected != found) {
            wrong++;
            System.out.println("wrong: " + found + " (expected: " + expected + ")");
        }
    }

    private void look(long second) throws IOException {
        System.gc();
        expect(1, context.parallelize(List.of(1), 1).count()); // what the program has dropped goes with the next job
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
        long threads = Thread.getAllStackTraces().size();
        long open = count(Path.of("/proc/self/fd"));
        long files = files(directory);
        long resident = resident();
        samples.add(new long[] {heap, threads, open, files});
        System.out.println(String.format(
                Locale.ROOT,
                "second %d: jobs %d, heap %d MiB, threads %d, open files %d, files %d, resident %d MiB",
                second,
                jobs,
                heap,
                threads,
                open,
                files,
                resident));
    }

    private static long resident() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                    .findFirst()
                    .orElse(0);
        }
    }

    private static long count(Path listed) throws IOException {
        try (Stream<Path> entries = Files.list(listed)) {
            return entries.count();
        }
    }

    private static long files(Path below) throws IOException {
        try (Stream<Path> entries = Files.walk(below)) {
            return entries.filter(Files::isRegularFile).count();
        }
    }

    /** Compares the middle third with the last one, by their medians: the first one still warms up. */
    private boolean isFlat() {
        if (samples.size() < SAMPLES_MIN) {
            return true;
        }
        boolean flat = true;
        String[] names = {"heap", "threads", "open files", "files"};
        long[] slack = {20, 5, 10, 20};
        int third = samples.size() / 3;
        for (int which = 0; which < names.length; which++) {
            long before = median(samples.subList(third, 2 * third), which);
            long after = median(samples.subList(2 * third, samples.size()), which);
            System.out.println(names[which] + ": " + before + " -> " + after);
            flat &= after <= before * GROWTH_MAX + slack[which];
        }
        return flat;
    }

    private static long median(List<long[]> of, int which) {
        return of.stream()
                .mapToLong(sample -> sample[which])
                .sorted()
                .skip(of.size() / 2)
                .findFirst()
                .orElse(0);
    }

    private static void remove(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, IOException failure) throws IOException {
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
