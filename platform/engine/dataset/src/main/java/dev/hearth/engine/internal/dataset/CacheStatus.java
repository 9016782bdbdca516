package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import java.util.List;

/**
 * The storage levels and cached blocks of datasets, which the planning of a job takes into account. Thread-safe;
 * results may be slightly stale.
 */
public interface CacheStatus {
    /** The storage level of a dataset; {@code NONE} if the dataset is not persisted. */
    StorageLevel level(int dataset);

    /**
     * The executors that cache a partition, in the form of {@link dev.hearth.engine.internal.plan.PreferredLocations}.
     * Empty if no executor caches it, or if tasks run in the driver's process, where location does not matter.
     */
    List<String> places(int dataset, int partition);

    /** Whether every one of {@code partitions} of a dataset is cached on some executor. */
    boolean areThere(int dataset, int[] partitions);
}
