package dev.hearth.yarn.internal.line;

import java.util.List;

/**
 * Request for one container. {@code key} identifies it within the application; {@code group} is the positive number of the
 * requests that it may be exchanged with, which the ResourceManager returns with a grant. {@code hosts} are preferred; the
 * ResourceManager may choose others. Immutable.
 */
public record ContainerAsk(
        long key, int priority, long group, ContainerCapability capability, List<String> hosts, ContainerPlace place) {
    /** Maximum number of hosts of one request: more cost the ResourceManager a row each. */
    public static final int HOSTS_MAX = 8;

    public ContainerAsk {
        hosts = List.copyOf(hosts);
        if (hosts.size() > HOSTS_MAX) {
            throw new IllegalArgumentException(
                    "request " + key + ": " + hosts.size() + " hosts (expected: at most " + HOSTS_MAX + ")");
        }
    }
}
