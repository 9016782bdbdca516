package dev.hearth.itests.simulation;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dataset.PlannedRdd;
import dev.hearth.engine.internal.driver.DriverContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Jobs over shuffles, one after another, some over what others have shuffled or kept: sums, a join of two sums, sorted partitions.
 * What each gives is compared with what plain collections give. Fails with the first that is wrong.
 */
final class ShufflingProgram {
    private static final int MAPS = 16;
    private static final int READERS = 10;
    private static final int KEYS = 37;
    private static final int NUMBERS = 600;
    private static final int NUMBER_MAX = 10_000;

    private static final List<StorageLevel> LEVELS = List.of(
            StorageLevel.NONE, StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY, StorageLevel.MEMORY_AND_DISK_2);

    private final DriverContext context;
    private final List<Integer> numbers;
    private final StorageLevel level; // of the sums
    private final List<Rdd<?>> datasets =
            new ArrayList<>(); // kept: what nobody holds is dropped when garbage is collected
    private int right;

    ShufflingProgram(DriverContext context, RandomGenerator random) {
        this.context = context;
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
        PairRdd<Integer, Integer> sorted = keyed.repartitionAndSortWithinPartitions(new HashPartitioner(READERS));
        if (level != StorageLevel.NONE) {
            sums.persist(level);
        }
        datasets.addAll(List.of(all, keyed, sums, largest, joined, sorted));
        return check("sums", sums, sums())
                .thenCompose(done -> check("join", joined, join()))
                .thenCompose(done -> check("sorted partitions", sorted, pairs()))
                .thenCompose(done -> check("join again", joined, join()))
                .thenCompose(done -> check("sums of sums", again(sums), again()));
    }

    private PairRdd<Integer, Integer> again(PairRdd<Integer, Integer> sums) {
        PairRdd<Integer, Integer> coarse =
                sums.mapToPair(sum -> Pair.of(sum.key() % 3, sum.value())).reduceByKey(Integer::sum, 2);
        datasets.add(coarse);
        return coarse;
    }

    private <K, V> CompletionStage<Void> check(
            String what, PairRdd<K, V> dataset, Stream<? extends Pair<K, V>> wanted) {
        List<String> expected = texts(wanted);
        return context.starting(
                        ((PlannedRdd<Pair<K, V>>) dataset).actions("collect").collecting())
                .thenCompose(found -> {
                    List<String> got = texts(found.stream());
                    if (!got.equals(expected)) {
                        return CompletableFuture.failedStage(
                                new AssertionError(what + ": " + got + " (expected: " + expected + ")"));
                    }
                    right++;
                    return CompletableFuture.completedStage(null);
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
