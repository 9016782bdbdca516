package dev.hearth.api;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Says which partition a key belongs to. It must say the same for equal keys, always and in every process; two that are equal
 * by {@link Object#equals} spare the second of two shuffles. Called by many tasks, each with a copy of its own.
 */
public interface Partitioner extends Serializable {
    int partitions();

    /** From 0 up to {@link #partitions}; {@code key} may be null. */
    int partition(@Nullable Object key);

    /**
     * The partitioner of operations on these datasets that are given none. Where some of them have partitioners, it is the one with
     * most partitions, unless these are far fewer than the largest dataset has; else it is a {@link HashPartitioner} with
     * {@code hearth.default.parallelism} partitions if that is set, or as many as the largest dataset has.
     * <pre>{@code Partitioner of = Partitioner.defaultPartitioner(counts, numbers);}</pre>
     */
    static Partitioner defaultPartitioner(Rdd<?> first, Rdd<?>... others) {
        return Defaults.partitioner(first, others);
    }
}
