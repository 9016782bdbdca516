package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import java.util.List;

/** Cache state that planning reads. Any thread may call; answers may be slightly stale. */
public interface CacheStatus {
    /** The storage level of a dataset. */
    StorageLevel level(int dataset);

    /**
     * Preferred locations of a cached partition, as in {@link dev.hearth.engine.internal.plan.PreferredLocations}; empty within
     * the driver's process.
     */
    List<String> places(int dataset, int partition);

    /** Whether all of these partitions are cached. */
    boolean areThere(int dataset, int[] partitions);
}
