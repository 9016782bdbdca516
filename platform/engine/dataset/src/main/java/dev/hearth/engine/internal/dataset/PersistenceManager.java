package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;

/**
 * Persistence of the datasets of an application: cached blocks on executors, and checkpoints in files. Any thread may
 * call.
 */
public interface PersistenceManager extends CacheStatus {
    /**
     * Makes a dataset persist when it is computed, until it is unpersisted or {@code lineage} is unreachable. Fails if
     * it is persisted at another level.
     */
    void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level);

    /** Sets the name of a dataset for monitoring. */
    void show(int dataset, String name);

    /** Unpersists a dataset; {@code blocking} waits until its blocks have been removed. */
    void giveUp(int dataset, boolean blocking);

    /** Allows a persisted dataset to use the disk when memory is short. */
    void keepOnDisk(int dataset, StorageLevel level);

    /** Notes that a checkpoint is due after the next action over its dataset. */
    void expectCheckpoint();

    /** The directory for the checkpoint of a dataset. Fails if no checkpoint directory has been set. */
    String checkpointPath(int dataset);

    /**
     * Notes that a dataset has been checkpointed in {@code directory}. The files stay at least while {@code lineage} is
     * reachable.
     */
    void checkpointed(Object lineage, String directory);

    /** Notes that the cached blocks of a dataset are its local checkpoint: they cannot be computed again. */
    void checkpointedLocally(int dataset);
}
