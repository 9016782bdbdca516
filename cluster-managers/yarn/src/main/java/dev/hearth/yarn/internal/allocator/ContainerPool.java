package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.RestartBackoff;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Containers of one profile of one context: what is wanted, what is held and what is asked for. {@link ContainerTable} keeps
 * the counts. Owned by {@link Allocator}.
 */
final class ContainerPool {
    final PoolKey key;
    final ExecutorNeeds needs;
    final int priority;
    final long group; // of its asks, never that of another pool
    final OpenAsks asks = new OpenAsks();
    final RestartBackoff backoff;
    Demand demand = Demand.NONE;
    boolean placesChanged; // since the asks were planned
    long waitingSinceNanos; // for a grant, while asks are open
    int starting;
    int up;
    private final Map<String, Integer> heldByHost = new LinkedHashMap<>();

    ContainerPool(PoolKey key, ExecutorNeeds needs, int priority, long group, long now) {
        this.key = key;
        this.needs = needs;
        this.priority = priority;
        this.group = group;
        this.backoff = new RestartBackoff(now);
    }

    int held() {
        return starting + up;
    }

    int heldOn(String host) {
        return heldByHost.getOrDefault(host, 0);
    }

    void heldOn(String host, int difference) {
        heldByHost.merge(host, difference, (before, change) -> before + change == 0 ? null : before + change);
    }

    Map<String, Integer> heldByHost() {
        return Collections.unmodifiableMap(heldByHost);
    }

    /** Executors that the pending tasks with preferred hosts need. */
    int localExecutors() {
        return (int) (((long) demand.tasksWithHosts() + needs.tasksAtOnce() - 1) / needs.tasksAtOnce());
    }
}
