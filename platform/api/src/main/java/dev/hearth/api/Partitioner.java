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
     * The default partitioner of operations on these datasets. It is that partitioner of the datasets which has the
     * most partitions, unless it has far fewer than the largest dataset. Otherwise it is a {@link HashPartitioner} with
     * {@code hearth.default.parallelism} partitions if that is set, or as many as the largest dataset has.
     * <pre>{@code Partitioner of = Partitioner.defaultPartitioner(counts, numbers);}</pre>
     */
    static Partitioner defaultPartitioner(Rdd<?> first, Rdd<?>... others) {
        return DefaultPartitioning.partitioner(first, others);
    }
}
