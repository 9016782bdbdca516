package dev.hearth.api;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Assigns keys to partitions. Equal keys must always get the same partition, in every process. Partitioners should
 * implement {@link Object#equals}: a dataset that has an equal partitioner is not shuffled again. Each task uses its
 * own deserialised copy.
 */
public interface Partitioner extends Serializable {
    int partitions();

    /** The partition of a key, from 0 to {@link #partitions} - 1; {@code key} may be null. */
    int partition(@Nullable Object key);

    /**
     * The default partitioner of operations on these datasets: the existing partitioner with the most partitions,
     * because its dataset need not be shuffled. If this partitioner has far fewer partitions than the largest dataset,
     * the result is a new {@link HashPartitioner}. The new one has {@code hearth.default.parallelism} partitions if
     * that is set, else as many as the largest dataset.
     * <pre>{@code Partitioner of = Partitioner.defaultPartitioner(counts, numbers);}</pre>
     */
    static Partitioner defaultPartitioner(Rdd<?> first, Rdd<?>... others) {
        return DefaultPartitioning.partitioner(first, others);
    }
}
