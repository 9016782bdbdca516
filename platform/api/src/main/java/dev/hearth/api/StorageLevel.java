package dev.hearth.api;

/**
 * How a dataset is kept once it was computed: in memory as it is or as bytes, on disk, on how many executors. What finds no
 * room in memory goes to disk where the level has it, and is computed anew where it has not.
 * <p>Values that a task could change are kept as bytes at every level: no task sees what another did to them.
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

    /** Whether values that nobody can change are kept as they are. */
    public boolean asObjects() {
        return asObjects;
    }

    /** On how many executors it is kept, where there are so many. */
    public int replicas() {
        return replicas;
    }
}
