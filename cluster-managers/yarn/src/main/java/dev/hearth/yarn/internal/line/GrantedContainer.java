package dev.hearth.yarn.internal.line;

/**
 * Container that the ResourceManager has granted. {@code node} is the address {@code host:port} of its NodeManager,
 * {@code httpAddress} that of its pages. {@code rack} is empty if the cluster has none, {@code group} 0 if the ResourceManager returns no number
 * of the requests that it has granted. Immutable.
 */
public record GrantedContainer(
        String id,
        String host,
        String node,
        String httpAddress,
        String rack,
        ContainerCapability capability,
        int priority,
        long group) {
    /** Whether this may be a grant of the requests of {@code askedGroup} and {@code askedPriority}. */
    public boolean isOf(long askedGroup, int askedPriority) {
        return group == 0 ? priority == askedPriority : group == askedGroup;
    }
}
