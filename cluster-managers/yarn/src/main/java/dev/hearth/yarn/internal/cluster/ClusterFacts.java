package dev.hearth.yarn.internal.cluster;

import dev.hearth.yarn.internal.line.ContainerCapability;
import java.util.Optional;
import java.util.Set;

/**
 * Facts about a cluster that a submission is checked against: the largest container, the resource types it knows, the
 * queue that the submission names, whether the scheduler may create it if there is none, the node labels, and the number of
 * nodes. Immutable.
 */
public record ClusterFacts(
        ContainerCapability maximum,
        Set<String> resourceTypes,
        Optional<QueueFacts> queue,
        boolean createsQueue,
        Set<String> labels,
        int nodes) {
    /** A queue, whether it takes applications, and whether applications go to queues below it. */
    public record QueueFacts(String name, boolean running, boolean parent) {}

    public ClusterFacts {
        resourceTypes = Set.copyOf(resourceTypes);
        labels = Set.copyOf(labels);
    }
}
