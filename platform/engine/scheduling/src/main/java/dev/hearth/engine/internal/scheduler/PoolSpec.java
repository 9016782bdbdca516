package dev.hearth.engine.internal.scheduler;

/**
 * Configuration of one pool: the order of its own task sets, its weight among the pools, and its minimum share. The
 * minimum share is a number of cores that the pool gets before weights count.
 */
public record PoolSpec(String name, SchedulingMode mode, int weight, int minShare) {
    /** Name of the pool that gets the task sets of jobs that name no pool. */
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
