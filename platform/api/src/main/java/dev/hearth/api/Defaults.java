package dev.hearth.api;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is used where nothing is given. */
final class Defaults {
    private static final int FEWER_MAX =
            10; // times fewer partitions than the largest dataset has, that are still enough

    private static final String PARALLELISM = "hearth.default.parallelism";

    private Defaults() {}

    /**
     * By hash codes, over as many partitions as are set, or else as the largest of the datasets has. Where they have partitioners
     * already, the one with most partitions is kept, so that some need not travel, unless it has both fewer than that and many
     * times fewer than the largest dataset.
     */
    static Partitioner partitioner(RddActions<?> first, RddActions<?>... others) {
        List<RddActions<?>> all =
                Stream.concat(Stream.of(first), Stream.of(others)).toList();
        int most = partitions(all.toArray(RddActions<?>[]::new));
        Optional<Partitioner> largest =
                all.stream().flatMap(Defaults::known).max(Comparator.comparingInt(Partitioner::partitions));
        HearthContext context = first.context();
        int wanted = context.settings().containsKey(PARALLELISM) ? context.defaultParallelism() : most;
        return largest.filter(found -> found.partitions() >= wanted || (long) found.partitions() * FEWER_MAX > most)
                .orElseGet(() -> new HashPartitioner(wanted));
    }

    /** That of the dataset, so that it need not travel; else by hash codes over as many partitions as it has. */
    static Partitioner own(RddActions<?> dataset) {
        return known(dataset).findFirst().orElseGet(() -> new HashPartitioner(partitions(dataset)));
    }

    private static Stream<Partitioner> known(RddActions<?> dataset) {
        return dataset instanceof Rdd<?> spread ? spread.partitioner().stream() : Stream.empty();
    }

    /** As many as the largest of them has, and one at least. */
    static int partitions(RddActions<?>... datasets) {
        return Math.max(
                1, Stream.of(datasets).mapToInt(RddActions::partitions).max().orElse(1));
    }
}
