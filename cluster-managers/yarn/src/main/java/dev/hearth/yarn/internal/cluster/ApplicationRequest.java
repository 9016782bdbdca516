package dev.hearth.yarn.internal.cluster;

import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.settings.QueueSettings;
import java.util.Optional;
import java.util.Set;

/**
 * Application for the ResourceManager: its name, its tags, its queue, and the container of its application
 * master with the launch of the process in it. {@code keepsContainers} says whether executors survive an application
 * master. An application without a launch has its application master elsewhere. Immutable.
 */
public record ApplicationRequest(
        String id,
        String name,
        Set<String> tags,
        QueueSettings queue,
        ContainerCapability capability,
        Optional<ContainerLaunch> launch,
        boolean keepsContainers) {
    public ApplicationRequest {
        tags = Set.copyOf(tags);
    }
}
