package dev.hearth.spi.storage;

/** Guarantee that a file store may give beyond the contract of {@link FileStore}. */
public enum StoreTrait {
    /** {@link FileStore#rename} is one step: after a failure the file has either its old or its new name. */
    ATOMIC_RENAME,
    /**
     * {@link FileStore#rename} copies and then removes: after a failure the file may have both names, but a file with
     * the new name is always complete. Job output needs this trait or {@link #ATOMIC_RENAME}.
     */
    COPYING_RENAME,
    /**
     * {@link FileStore#directory} with {@code mustBeNew}, and {@link FileStore#create} without {@code replace}, succeed
     * for one caller only. Job output needs this trait.
     */
    EXCLUSIVE_CREATE,
    /** {@link StoreOutput#show} makes readers see what was written, before the output is closed. */
    SHOWS_WRITES,
    /** {@link FileStore#blocks} returns the hosts of blocks. */
    BLOCK_HOSTS,
    /** {@link FileStore#permit} sets permissions. */
    PERMISSIONS
}
