package dev.hearth.engine.internal.memory;

/** An account that counts for metrics: the most it held, and what was spilled. Owned by the attempt's thread. */
public abstract class MeteredTaskMemory implements TaskMemory {
    private long peak;
    private long memorySpilled;
    private long diskSpilled;

    /** So much is held by now. */
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
