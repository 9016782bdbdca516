package dev.hearth.yarn.internal.line;

/**
 * Container that the ResourceManager has granted. {@code node} is the address {@code host:port} of its NodeManager,
 * {@code httpAddress} that of its pages. {@code rack} is empty if the cluster has none. Immutable.
 */
public record GrantedContainer(
        String id,
        String host,
        String node,
        String httpAddress,
        String rack,
        ContainerCapability capability,
        int priority) {}
