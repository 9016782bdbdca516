package dev.hearth.yarn.internal.allocator;

/**
 * Counts of one application: executors that run and start, asks without a grant, failures that still count, containers released
 * so far, and pending tasks that prefer hosts. Immutable.
 */
public record AllocatorCounts(int running, int starting, int pending, int failed, long released, int tasksWithHosts) {
    public static final AllocatorCounts NONE = new AllocatorCounts(0, 0, 0, 0, 0, 0);
}
