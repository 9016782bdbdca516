package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;

/**
 * Keeps track of the persisted datasets of an application: cached blocks on executors, and checkpoints in files.
 * Thread-safe.
 */
public interface PersistenceManager extends CacheStatus {
    /**
     * Persists a dataset: its blocks are cached when they are computed, until it is unpersisted or {@code lineage} is
     * unreachable. Fails if it is persisted at another level.
     */
    void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level);

    /** Sets the name that web pages and events show for a dataset. */
    void show(int dataset, String name);

    /** Unpersists a dataset. If {@code blocking}, waits until its blocks have been removed. */
    void giveUp(int dataset, boolean blocking);

    /** Allows the blocks of a persisted dataset to go to disk when memory is short. */
    void keepOnDisk(int dataset, StorageLevel level);

    /** Records that the user has requested a checkpoint, to be written after the next action over its dataset. */
    void expectCheckpoint();

    /** The directory for the checkpoint of a dataset. Fails if no checkpoint directory has been set. */
    String checkpointPath(int dataset);

    /**
     * Records that a dataset has been checkpointed in {@code directory}. The files stay at least as long as {@code
     * lineage} is reachable.
     */
    void checkpointed(Object lineage, String directory);

    /**
     * Records that the cached blocks of a dataset are its local checkpoint. They cannot be computed again,
     * because the lineage is truncated.
     */
    void checkpointedLocally(int dataset);
}
