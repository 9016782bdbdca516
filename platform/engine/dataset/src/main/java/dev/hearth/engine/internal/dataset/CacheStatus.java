package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import java.util.List;

/**
 * The storage levels and cached blocks that planning takes into account. Thread-safe; results may be slightly stale.
 */
public interface CacheStatus {
    /** The storage level of a dataset. */
    StorageLevel level(int dataset);

    /**
     * The executors that cache a partition, in the form of {@link dev.hearth.engine.internal.plan.PreferredLocations}.
     * Empty if tasks run in the driver's process, where location does not matter.
     */
    List<String> places(int dataset, int partition);

    /** Whether all of these partitions of a dataset are cached. */
    boolean areThere(int dataset, int[] partitions);
}
