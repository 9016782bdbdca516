package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import java.util.List;

/** What planning asks of kept datasets. Any thread may ask; answers are of a moment ago. */
public interface CacheStatus {
    /** How a dataset is to be kept. */
    StorageLevel level(int dataset);

    /** Where a partition is kept, as {@link dev.hearth.engine.internal.plan.PreferredLocations} says it; empty for the driver's own process. */
    List<String> places(int dataset, int partition);

    /** Whether all of those partitions of a dataset are kept. */
    boolean areThere(int dataset, int[] partitions);
}
