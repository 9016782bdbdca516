package dev.hearth.engine.internal.memory;

/**
 * Base class that counts the metrics of a task's memory: peak usage and spilled bytes. Owned by the thread of the task
 * attempt.
 */
public abstract class MeteredTaskMemory implements TaskMemory {
    private long peak;
    private long memorySpilled;
    private long diskSpilled;

    /** Notes that the task holds {@code bytes} now, which is the new peak if it exceeds the former one. */
    protected final void reached(long bytes) {
        peak = Math.max(peak, bytes);
    }

    @Override
    public final long peak() {
        return peak;
    }

    @Override
    public void spilled(long memoryBytes, long diskBytes) {
        memorySpilled += memoryBytes;
        diskSpilled += diskBytes;
    }

    @Override
    public final long memorySpilled() {
        return memorySpilled;
    }

    @Override
    public final long diskSpilled() {
        return diskSpilled;
    }
}
