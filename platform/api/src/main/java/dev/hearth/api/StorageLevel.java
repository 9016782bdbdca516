package dev.hearth.api;

/**
 * The form in which blocks of a persisted dataset are cached: in memory (as objects or serialised), on disk, or both,
 * and the number of replicas. Blocks that do not fit in memory go to disk if the level includes disk; otherwise they
 * are recomputed on use.
 * <p>Mutable values are cached in serialised form at every level, so that a task never sees changes by another task.
 */
public enum StorageLevel {
    NONE(false, false, false, 1),
    DISK_ONLY(true, false, false, 1),
    DISK_ONLY_2(true, false, false, 2),
    DISK_ONLY_3(true, false, false, 3),
    MEMORY_ONLY(false, true, true, 1),
    MEMORY_ONLY_2(false, true, true, 2),
    MEMORY_ONLY_SER(false, true, false, 1),
    MEMORY_ONLY_SER_2(false, true, false, 2),
    MEMORY_AND_DISK(true, true, true, 1),
    MEMORY_AND_DISK_2(true, true, true, 2),
    MEMORY_AND_DISK_SER(true, true, false, 1),
    MEMORY_AND_DISK_SER_2(true, true, false, 2);

    private final boolean disk;
    private final boolean memory;
    private final boolean asObjects;
    private final int replicas;

    StorageLevel(boolean disk, boolean memory, boolean asObjects, int replicas) {
        this.disk = disk;
        this.memory = memory;
        this.asObjects = asObjects;
        this.replicas = replicas;
    }

    public boolean usesDisk() {
        return disk;
    }

    public boolean usesMemory() {
        return memory;
    }

    /** Whether immutable values are cached as objects instead of bytes. */
    public boolean asObjects() {
        return asObjects;
    }

    /** The number of executors that cache each block; fewer do if the application has fewer executors. */
    public int replicas() {
        return replicas;
    }
}
