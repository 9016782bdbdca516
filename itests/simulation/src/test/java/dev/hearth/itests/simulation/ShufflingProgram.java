package dev.hearth.itests.simulation;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.Actions;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.DriverContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Jobs over shuffles, one after another, some over what others have shuffled or kept: sums, a join of two sums, sorted partitions.
 * Some at the same time over one shuffle, of which one is cancelled on the way. What each gives is compared with what plain
 * collections give. Fails with the first that is wrong.
 */
final class ShufflingProgram {
    private static final int MAPS = 16;
    private static final int READERS = 10;
    private static final int KEYS = 37;
    private static final int NUMBERS = 600;
    private static final int NUMBER_MAX = 10_000;
    private static final long CANCEL_MILLIS_MAX = 3_000;
    private static final String CANCELLED = "cancelled";

    private static final List<StorageLevel> LEVELS = List.of(
            StorageLevel.NONE, StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY, StorageLevel.MEMORY_AND_DISK_2);

    private final DriverContext context;
    private final Simulation simulation;
    private final List<Integer> numbers;
    private final StorageLevel level; // of the sums
    private final List<Rdd<?>> datasets =
            new ArrayList<>(); // kept: what nobody holds is dropped when garbage is collected
    private int right;

    ShufflingProgram(DriverContext context, Simulation simulation) {
        RandomGenerator random = simulation.random();
        this.context = context;
        this.simulation = simulation;
        this.numbers = random.ints(NUMBERS, 0, NUMBER_MAX).boxed().toList();
        this.level = LEVELS.get(random.nextInt(LEVELS.size()));
    }

    /** How many jobs gave what they should. */
    int right() {
        return right;
    }

    /** Runs all jobs. */
    CompletionStage<Void> run() {
        Rdd<Integer> all = context.parallelize(numbers, MAPS);
        PairRdd<Integer, Integer> keyed = all.mapToPair(number -> Pair.of(number % KEYS, number));
        PairRdd<Integer, Integer> sums = keyed.reduceByKey(Integer::sum, READERS);
        PairRdd<Integer, Integer> largest = keyed.reduceByKey(Math::max, READERS / 2);
        PairRdd<Integer, Pair<Integer, Integer>> joined = sums.join(largest);
        PairRdd<Integer, Integer> smallest = keyed.reduceByKey(Math::min, READERS);
        PairRdd<Integer, Integer> sorted = keyed.repartitionAndSortWithinPartitions(new HashPartitioner(READERS));
        if (level != StorageLevel.NONE) {
            sums.persist(level);
        }
        datasets.addAll(List.of(all, keyed, sums, largest, joined, smallest, sorted));
        return check("sums", sums, sums())
                .thenCompose(done -> check("join", joined, join()))
                .thenCompose(done -> check("sorted partitions", sorted, pairs()))
                .thenCompose(done -> together(smallest))
                .thenCompose(done -> check("join again", joined, join()))
                .thenCompose(done -> check("sums of sums", again(sums), again()));
    }

    private PairRdd<Integer, Integer> again(PairRdd<Integer, Integer> sums) {
        PairRdd<Integer, Integer> coarse =
                sums.mapToPair(sum -> Pair.of(sum.key() % 3, sum.value())).reduceByKey(Integer::sum, 2);
        datasets.add(coarse);
        return coarse;
    }

    /** Two that need one shuffle of their own, and a third that began it and is cancelled at some time. */
    private CompletionStage<Void> together(PairRdd<Integer, Integer> smallest) {
        context.jobGroup(CANCELLED, "", false);
        CompletionStage<Long> unwanted = context.starting(actions(smallest).counting());
        context.clearJobGroup();
        CompletionStage<Void> collected = check("smallest", smallest, smallest());
        CompletionStage<Void> counted = context.starting(actions(smallest).counting())
                .thenCompose(count -> found("count of smallest", String.valueOf(count), String.valueOf(KEYS)));
        simulation.schedule(
                Duration.ofMillis(simulation.random().nextLong(CANCEL_MILLIS_MAX)),
                () -> context.cancelJobGroup(CANCELLED, "not wanted", false));
        CompletionStage<Void> ended = unwanted.handle((count, failure) -> failure == null
                        ? found("count of smallest", String.valueOf(count), String.valueOf(KEYS))
                        : cancelled(failure))
                .thenCompose(outcome -> outcome);
        return collected.thenCombine(counted, (one, other) -> one).thenCombine(ended, (both, third) -> both);
    }

    private static CompletionStage<Void> cancelled(Throwable failure) {
        return Failures.code(failure) == ErrorCode.JOB_CANCELLED
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(failure);
    }

    private static CompletionStage<Void> found(String what, String got, String expected) {
        return got.equals(expected)
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(
                        new AssertionError(what + ": " + got + " (expected: " + expected + ")"));
    }

    private static <K, V> Actions<Pair<K, V>> actions(PairRdd<K, V> dataset) {
        return ((PlannedRdd<Pair<K, V>>) dataset).actions("act");
    }

    private <K, V> CompletionStage<Void> check(
            String what, PairRdd<K, V> dataset, Stream<? extends Pair<K, V>> wanted) {
        List<String> expected = texts(wanted);
        return context.starting(actions(dataset).collecting())
                .thenCompose(all -> found(what, texts(all.stream()).toString(), expected.toString()))
                .thenAccept(done -> right++);
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

    private Stream<Pair<Integer, Integer>> smallest() {
        return numbers.stream()
                .collect(Collectors.toMap(number -> number % KEYS, number -> number, Math::min))
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
