package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;

/**
 * Needs of each executor of a profile: the size of its container, its part of Java, the number of tasks that it runs at once,
 * and where its container may be. {@code fills} says that the heap gets what a container has beyond its request. Immutable.
 */
public record ExecutorNeeds(
        ContainerCapability capability, ContainerSize memory, int tasksAtOnce, ContainerPlace place, boolean fills) {
    public ExecutorNeeds {
        if (tasksAtOnce < 1) {
            throw new IllegalArgumentException("executor: " + tasksAtOnce + " tasks at once (expected: 1 or more)");
        }
    }

    /** Memory of an executor in a container that was granted: schedulers round requests up. */
    public ContainerSize memoryIn(ContainerCapability granted) {
        int surplus = surplusIn(granted);
        return new ContainerSize(
                memory.heapMebibytes() + (fills ? surplus : 0),
                memory.offHeapMebibytes(),
                memory.overheadMebibytes() + (fills ? 0 : surplus));
    }

    /** Memory in MiB that a granted container has beyond its request. */
    public int surplusIn(ContainerCapability granted) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE / 2, granted.memoryMebibytes() - memory.total()));
    }
}
