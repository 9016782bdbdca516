package dev.hearth.kubernetes.internal.executors;

import dev.hearth.spi.cluster.Demand;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Nodes on which an executor must not run, and numbers of pending tasks by the nodes that they prefer, the most preferred
 * first. Both hold at most {@link #HOSTS_MAX} names. Immutable.
 */
public record HostWishes(Set<String> excluded, Map<String, Integer> preferred) {
    /** Maximum number of nodes of either kind in a pod. */
    public static final int HOSTS_MAX = 50;

    /** Any node will do. */
    public static final HostWishes NONE = new HostWishes(Set.of(), Map.of());

    public HostWishes {
        excluded = Collections.unmodifiableSet(new LinkedHashSet<>(excluded));
        preferred = Collections.unmodifiableMap(new LinkedHashMap<>(preferred));
    }

    /** Wishes of an application; {@code excludedHosts} wins where tasks prefer an excluded host. */
    public static HostWishes of(Demand demand, Set<String> excludedHosts) {
        Set<String> excluded = new LinkedHashSet<>();
        new TreeSet<>(excludedHosts).stream().limit(HOSTS_MAX).forEach(excluded::add);
        Map<String, Integer> preferred = new LinkedHashMap<>();
        demand.tasksByHost().entrySet().stream()
                .filter(host -> host.getValue() > 0 && !excludedHosts.contains(host.getKey()))
                .limit(HOSTS_MAX)
                .forEach(host -> preferred.put(host.getKey(), host.getValue()));
        return new HostWishes(excluded, preferred);
    }
}
