package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;

/** What planning asks of kept datasets. Any thread may ask; answers are of a moment ago. */
public interface Keepings {
    /** How a dataset is to be kept. */
    StorageLevel level(int dataset);

    /** Whether all of those partitions of a dataset are kept. */
    boolean areThere(int dataset, int[] partitions);
}
