package dev.hearth.engine.internal.memory;

/** Base class that records metrics: peak usage and spilled bytes. Owned by the attempt's thread. */
public abstract class MeteredTaskMemory implements TaskMemory {
    private long peak;
    private long memorySpilled;
    private long diskSpilled;

    /** Updates the peak; {@code bytes} are in use now. */
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
