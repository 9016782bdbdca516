package dev.hearth.api;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is used where nothing is given. */
final class Defaults {
    private static final int FEWER_MAX =
            10; // times fewer partitions than the largest dataset has, that are still enough

    private Defaults() {}

    /**
     * The partitioner with most partitions among those that the datasets have, so that some of them need not travel, unless it
     * has too few; else by hash codes over as many partitions as the largest of them has.
     */
    static Partitioner partitioner(RddActions<?> first, RddActions<?>... others) {
        List<RddActions<?>> all =
                Stream.concat(Stream.of(first), Stream.of(others)).toList();
        int most = partitions(all.toArray(RddActions<?>[]::new));
        Optional<Partitioner> largest = all.stream()
                .flatMap(dataset -> dataset instanceof Rdd<?> known ? known.partitioner().stream() : Stream.empty())
                .max(Comparator.comparingInt(Partitioner::partitions));
        return largest.filter(found -> (long) found.partitions() * FEWER_MAX > most)
                .orElseGet(() -> new HashPartitioner(most));
    }

    /** As many as the largest of them has, and one at least. */
    static int partitions(RddActions<?>... datasets) {
        return Math.max(
                1, Stream.of(datasets).mapToInt(RddActions::partitions).max().orElse(1));
    }
}
