package dev.hearth.api;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Chooses partitioners and partition counts for operations that are called without them. Stateless. */
final class DefaultPartitioning {
    // An existing partitioner is reused if it has more than a tenth as many partitions as the largest dataset.
    private static final int FEWER_MAX = 10;

    private static final String PARALLELISM = "hearth.default.parallelism";

    private DefaultPartitioning() {}

    /**
     * The existing partitioner with the most partitions, if it has enough of them: its dataset then needs no shuffle.
     * Enough means more than a tenth of the partitions of the largest dataset, or at least as many as a new partitioner
     * would have. Otherwise the result is a new hash partitioner. Its number of partitions is the default parallelism
     * if that is set, else that of the largest dataset.
     */
    static Partitioner partitioner(RddActions<?> first, RddActions<?>... others) {
        List<RddActions<?>> all =
                Stream.concat(Stream.of(first), Stream.of(others)).toList();
        int most = partitions(all.toArray(RddActions<?>[]::new));
        Optional<Partitioner> largest = all.stream()
                .flatMap(DefaultPartitioning::existing)
                .max(Comparator.comparingInt(Partitioner::partitions));
        HearthContext context = first.context();
        int wanted = context.settings().containsKey(PARALLELISM) ? context.defaultParallelism() : most;
        return largest.filter(found -> found.partitions() >= wanted || (long) found.partitions() * FEWER_MAX > most)
                .orElseGet(() -> new HashPartitioner(wanted));
    }

    /** The dataset's own partitioner, or else a hash partitioner with as many partitions as the dataset. */
    static Partitioner own(RddActions<?> dataset) {
        return existing(dataset).findFirst().orElseGet(() -> new HashPartitioner(partitions(dataset)));
    }

    private static Stream<Partitioner> existing(RddActions<?> dataset) {
        return dataset instanceof Rdd<?> spread ? spread.partitioner().stream() : Stream.empty();
    }

    /** The number of partitions of the largest dataset, but at least 1. */
    static int partitions(RddActions<?>... datasets) {
        return Math.max(
                1, Stream.of(datasets).mapToInt(RddActions::partitions).max().orElse(1));
    }
}
