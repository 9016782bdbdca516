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
}
