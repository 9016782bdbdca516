package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;

/**
 * Keeps track of the persisted datasets of an application: cached blocks on executors, and checkpoints in files.
 * Thread-safe.
 */
public interface PersistenceManager extends CacheStatus {
    /**
     * Persists a dataset: its blocks are cached when they are computed, until it is unpersisted or {@code lineage} is
     * unreachable. Fails if the dataset is already persisted at a storage level other than {@code level}.
     */
    void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level);

    /** Sets the name that web pages and events show for a dataset. */
    void show(int dataset, String name);

    /**
     * Unpersists a dataset and removes its cached blocks. If {@code blocking}, returns only when the blocks in this
     * process have been removed.
     */
    void giveUp(int dataset, boolean blocking);

    /**
     * Changes the storage level of a persisted dataset to {@code level}, which uses disk. Evicted blocks of the dataset
     * then go to disk instead of being dropped.
     */
    void keepOnDisk(int dataset, StorageLevel level);

    /**
     * Records that the user has requested a checkpoint of some dataset. The checkpoint is written after the next action
     * over that dataset.
     */
    void expectCheckpoint();

    /**
     * The directory for the files of the checkpoint of a dataset, within the checkpoint directory. Fails if no
     * checkpoint directory has been set.
     */
    String checkpointPath(int dataset);

    /**
     * Records that a dataset has been checkpointed in {@code directory}. Its checkpoint files stay at least as long as
     * {@code lineage}, the lineage of the dataset, is reachable.
     */
    void checkpointed(Object lineage, String directory);

    /**
     * Records that the cached blocks of a dataset are its local checkpoint. They cannot be computed again,
     * because the lineage is truncated.
     */
    void checkpointedLocally(int dataset);
}
