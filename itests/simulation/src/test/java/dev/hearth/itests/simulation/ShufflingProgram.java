package dev.hearth.itests.simulation;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HashPartitioner;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.io.OpenStores;
import dev.hearth.engine.internal.io.OutputCommitter;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Jobs over shuffles, some concurrent, some reusing shuffles or cached datasets of others: sums, a join of two sums,
 * sorted partitions, a cancelled job, a broadcast value, large results, an output. Each result is compared with that
 * of plain collections; the first wrong one fails the program.
 */
final class ShufflingProgram {
    /** The number of jobs. */
    static final int JOBS = 13;

    private static final String DOOMED = "doomed";
    private static final int CANCEL_MILLIS_MAX = 600;
    private static final int SHARED = 40_000;
    private static final int LARGE_BYTES = 1_100_000; // more than fits in a message
    private static final int MAPS = 16;
    private static final int READERS = 10;
    private static final int FEW = 4; // tasks, where more would show nothing new
    private static final int KEYS = 37;
    private static final int NUMBERS = 600;
    private static final int NUMBER_MAX = 10_000;

    private static final List<StorageLevel> LEVELS = List.of(
            StorageLevel.NONE, StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY, StorageLevel.MEMORY_AND_DISK_2);

    private final DriverContext context;
    private final Simulation simulation;
    private final Path place; // of the output
    private final List<Integer> numbers;
    private final StorageLevel level; // of the sums
    // datasets without a reference are dropped after a garbage collection
    private final List<Object> held = new ArrayList<>();
    private int right;

    ShufflingProgram(DriverContext context, Simulation simulation, Path place) {
        RandomGenerator random = simulation.random();
        this.context = context;
        this.simulation = simulation;
        this.place = place;
        this.numbers = random.ints(NUMBERS, 0, NUMBER_MAX).boxed().toList();
        this.level = LEVELS.get(random.nextInt(LEVELS.size()));
    }

    /** The number of jobs with the right result. */
    int right() {
        return right;
    }

    /** Runs all jobs. */
    CompletionStage<Void> run() {
        Rdd<Integer> all = context.parallelize(numbers, MAPS);
        PairRdd<Integer, Integer> keyed = all.mapToPair(number -> Pair.of(number % KEYS, number));
        PairRdd<Integer, Integer> few =
                context.parallelize(numbers, FEW).mapToPair(number -> Pair.of(number % KEYS, number));
        PairRdd<Integer, Integer> sums = keyed.reduceByKey(Integer::sum, READERS);
        PairRdd<Integer, Integer> largest = keyed.reduceByKey(Math::max, READERS / 2);
        PairRdd<Integer, Pair<Integer, Integer>> joined = sums.join(largest);
        PairRdd<Integer, Integer> sorted = keyed.repartitionAndSortWithinPartitions(new HashPartitioner(READERS));
        if (level != StorageLevel.NONE) {
            sums.persist(level);
        }
        held.addAll(List.of(all, keyed, few, sums, largest, joined, sorted));
        return check("sums", sums, sums())
                .thenCompose(done -> check("join", joined, join()))
                .thenCompose(done -> check("sorted partitions", sorted, pairs()))
                .thenCompose(done -> check("join again", joined, join()))
                .thenCompose(done -> check("sums of sums", again(sums), again()))
                .thenCompose(done -> atOnce(few))
                .thenCompose(done -> cancelled(few))
                .thenCompose(done -> shared())
                .thenCompose(done -> large())
                .thenCompose(done -> saved(sums));
    }

    /** Two concurrent jobs over one new shuffle, of which one repartitions it. */
    private CompletionStage<Void> atOnce(PairRdd<Integer, Integer> keyed) {
        PairRdd<Integer, Integer> both = hold(keyed.reduceByKey(Integer::sum, FEW));
        PairRdd<Integer, Integer> dealt = hold(both.repartition(3));
        CompletionStage<Void> one = check("sums at once", both, sums());
        CompletionStage<Void> other = check("sums dealt out at once", dealt, sums());
        return one.thenCombine(other, (done, too) -> null);
    }

    /** Cancels a job, unless it has ended before; another job reads its shuffle. */
    private CompletionStage<Void> cancelled(PairRdd<Integer, Integer> keyed) {
        PairRdd<Integer, Integer> both = hold(keyed.reduceByKey(Integer::sum, FEW));
        context.jobGroup(DOOMED, "told to end", simulation.random().nextBoolean());
        CompletionStage<Void> doomed = check("sums that nobody waits for", both, sums())
                .handle((done, failure) -> {
                    if (failure != null && Failures.code(failure) == ErrorCode.JOB_CANCELLED) {
                        right++;
                        return CompletableFuture.<Void>completedStage(null);
                    }
                    return failure == null
                            ? CompletableFuture.<Void>completedStage(null)
                            : CompletableFuture.<Void>failedStage(failure);
                })
                .thenCompose(outcome -> outcome);
        context.clearJobGroup();
        CompletionStage<Void> other = check("sums beside a job that is cancelled", both, sums());
        simulation.schedule(
                Duration.ofMillis(simulation.random().nextInt(CANCEL_MILLIS_MAX)),
                () -> context.cancelJobGroup(DOOMED, "nobody waits for it", false));
        return doomed.thenCombine(other, (done, too) -> null)
                .thenCompose(done -> check("sums after a job that was cancelled", both, sums()));
    }

    private CompletionStage<Void> shared() {
        int[] squares =
                IntStream.range(0, SHARED).map(number -> number * number).toArray();
        Broadcast<int[]> broadcast = context.broadcast(squares);
        held.add(broadcast);
        PairRdd<Integer, Integer> looked = hold(context.parallelize(numbers, FEW)
                .mapToPair(number -> Pair.of(number % KEYS, broadcast.value()[number])));
        return check("squares", looked, numbers.stream().map(number -> Pair.of(number % KEYS, squares[number])));
    }

    private CompletionStage<Void> large() {
        Rdd<byte[]> blown = context.parallelize(List.of(1, 2), 2).map(ShufflingProgram::blown);
        held.add(blown);
        return context.starting(((PlannedRdd<byte[]>) blown).actions("collect").collecting())
                .thenCompose(found -> {
                    boolean same = found.size() == 2
                            && IntStream.range(0, 2).allMatch(at -> Arrays.equals(blown(at + 1), found.get(at)));
                    return outcome(same, () -> "large results: " + found.size() + " others");
                });
    }

    private static byte[] blown(int number) {
        byte[] bytes = new byte[LARGE_BYTES];
        Arrays.fill(bytes, (byte) number);
        return bytes;
    }

    /** Checks that the output has every partition exactly once, whichever attempts wrote it. */
    private CompletionStage<Void> saved(PairRdd<Integer, Integer> sums) {
        OutputCommitter output =
                OutputCommitter.prepare(place.toString(), "simulated", FileCodec.NONE, OpenStores.local());
        FileOutput target = new FileOutput(output.target().directory(), FileCodec.NONE.name(), "simulated");
        return context.starting(((PlannedRdd<Pair<Integer, Integer>>) sums)
                        .actions("saveAsTextFile")
                        .saving(new Sink.SaveText(target)))
                .thenCompose(nothing -> {
                    output.commit(READERS);
                    List<String> lines = lines();
                    return outcome(lines.equals(texts(sums())), () -> "lines: " + lines);
                });
    }

    private List<String> lines() {
        try (Stream<Path> files = Files.list(place)) {
            List<String> lines = new ArrayList<>();
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith("part-")) {
                    lines.addAll(Files.readAllLines(file));
                }
            }
            lines.sort(null);
            return lines;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private PairRdd<Integer, Integer> hold(PairRdd<Integer, Integer> dataset) {
        held.add(dataset);
        return dataset;
    }

    private CompletionStage<Void> outcome(boolean isRight, Supplier<String> wrong) {
        if (!isRight) {
            return CompletableFuture.failedStage(new AssertionError(wrong.get()));
        }
        right++;
        return CompletableFuture.completedStage(null);
    }

    private PairRdd<Integer, Integer> again(PairRdd<Integer, Integer> sums) {
        return hold(sums.mapToPair(sum -> Pair.of(sum.key() % 3, sum.value())).reduceByKey(Integer::sum, 2));
    }

    private <K, V> CompletionStage<Void> check(
            String what, PairRdd<K, V> dataset, Stream<? extends Pair<K, V>> wanted) {
        List<String> expected = texts(wanted);
        return context.starting(
                        ((PlannedRdd<Pair<K, V>>) dataset).actions("collect").collecting())
                .thenCompose(found -> {
                    List<String> got = texts(found.stream());
                    return outcome(got.equals(expected), () -> what + ": " + got + " (expected: " + expected + ")");
                });
    }

    private static List<String> texts(Stream<?> pairs) {
        return pairs.map(String::valueOf).sorted().toList();
    }

    private Stream<Pair<Integer, Integer>> pairs() {
        return numbers.stream().map(number -> Pair.of(number % KEYS, number));
    }

    private Stream<Pair<Integer, Integer>> sums() {
        return numbers.stream()
                .collect(Collectors.groupingBy(number -> number % KEYS, Collectors.summingInt(number -> number)))
                .entrySet()
                .stream()
                .map(entry -> Pair.of(entry.getKey(), entry.getValue()));
    }

    private Stream<Pair<Integer, Pair<Integer, Integer>>> join() {
        return numbers.stream().collect(Collectors.groupingBy(number -> number % KEYS)).entrySet().stream()
                .map(entry -> Pair.of(
                        entry.getKey(),
                        Pair.of(
                                entry.getValue().stream()
                                        .mapToInt(number -> number)
                                        .sum(),
                                entry.getValue().stream()
                                        .mapToInt(number -> number)
                                        .max()
                                        .orElseThrow())));
    }

    private Stream<Pair<Integer, Integer>> again() {
        return sums()
                .collect(Collectors.groupingBy(sum -> sum.key() % 3, Collectors.summingInt(sum -> sum.value())))
                .entrySet()
                .stream()
                .map(entry -> Pair.of(entry.getKey(), entry.getValue()));
    }
}
