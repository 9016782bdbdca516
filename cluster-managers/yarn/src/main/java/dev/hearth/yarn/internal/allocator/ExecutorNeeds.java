package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.yarn.internal.line.ContainerCapability;

/**
 * Needs of each executor of a profile: the size of its container, its part of Java, the number of tasks that it runs at once, and the label of
 * its nodes, empty for the default partition. Immutable.
 */
public record ExecutorNeeds(ContainerCapability capability, ContainerSize memory, int tasksAtOnce, String nodeLabel) {
    public ExecutorNeeds {
        if (tasksAtOnce < 1) {
            throw new IllegalArgumentException("executor: " + tasksAtOnce + " tasks at once (expected: 1 or more)");
        }
    }
}
