package dev.hearth.engine.internal.scheduler;

/** A pool as configured: how it ranks what is in it, its weight among pools, and how many cores it gets before weights count. */
public record PoolSpec(String name, SchedulingMode mode, int weight, int minShare) {
    /** Where task sets queue that name no pool. */
    public static final String DEFAULT_POOL = "default";

    public PoolSpec {
        if (weight < 1 || minShare < 0) {
            throw new IllegalArgumentException("pool " + name + ": weight " + weight + ", minShare " + minShare
                    + " (expected: weight 1 or more, minShare 0 or more)");
        }
    }

    public static PoolSpec named(String name) {
        return new PoolSpec(name, SchedulingMode.FIFO, 1, 0);
    }
}
