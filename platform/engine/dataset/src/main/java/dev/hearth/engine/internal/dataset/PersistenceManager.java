package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;

/** What an application keeps of its datasets: blocks on executors, and checkpoints in files. Any thread may call. */
public interface PersistenceManager extends CacheStatus {
    /**
     * Has a dataset kept once it is computed, until it is given up or nothing can read {@code lineage} any more. Refused when it is
     * kept at another level.
     */
    void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level);

    /** Shows a dataset under a name. */
    void show(int dataset, String name);

    /** Has a dataset no longer kept; {@code blocking} waits until what it took is free. */
    void giveUp(int dataset, boolean blocking);

    /** Has a dataset that is kept go on to disk where there is no room for it in memory. */
    void keepOnDisk(int dataset, StorageLevel level);

    /** Somebody asked for a checkpoint, which is due after the next action over it. */
    void expectCheckpoint();

    /** Where a dataset is to be written, below the directory for checkpoints; refused when none was set. */
    String checkpointPath(int dataset);

    /** A dataset lies in {@code directory} from now on, until nothing can read {@code lineage} any more, at least. */
    void checkpointed(Object lineage, String directory);

    /** What is kept of a dataset is all there is of it from now on. */
    void checkpointedLocally(int dataset);
}
