package dev.hearth.standalone.internal.master;

import java.util.Comparator;

/**
 * Order in which workers receive executors, as in Spark. Workers that are equal have the order of their ids, which is
 * reversed where more is better.
 */
public enum SelectionPolicy {
    CORES_FREE_ASC,
    CORES_FREE_DESC,
    MEMORY_FREE_ASC,
    MEMORY_FREE_DESC,
    WORKER_ID;

    Comparator<WorkerRecord> order() {
        Comparator<WorkerRecord> byId = Comparator.comparing(WorkerRecord::id);
        Comparator<WorkerRecord> ascending = switch (this) {
            case CORES_FREE_ASC, CORES_FREE_DESC ->
                Comparator.comparingInt(WorkerRecord::coresFree).thenComparing(byId);
            case MEMORY_FREE_ASC, MEMORY_FREE_DESC ->
                Comparator.comparingInt(WorkerRecord::memoryFree).thenComparing(byId);
            case WORKER_ID -> byId;
        };
        return isDescending() ? ascending.reversed() : ascending;
    }

    /** Whether the workers with most come first. */
    boolean isDescending() {
        return this == CORES_FREE_DESC || this == MEMORY_FREE_DESC;
    }

    boolean isByMemory() {
        return this == MEMORY_FREE_ASC || this == MEMORY_FREE_DESC;
    }
}
