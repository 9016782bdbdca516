package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings the asks of pools in line with what is wanted, as far as back-off, headroom and exclusion allow. Asks for hosts that
 * no task prefers any more are cancelled, and asks for any host become asks for preferred hosts. Owned by {@link Allocator}.
 */
final class AskPlanner {
    private final AllocatorRules rules;
    private final HostExclusion exclusion;
    private final Departures departures;
    private final HeadroomBound headroom;
    private final OrderDraft orders;
    private ContainerCapability maximum = ContainerCapability.NONE;
    private long nextKey = 1;

    AskPlanner(
            AllocatorRules rules,
            HostExclusion exclusion,
            Departures departures,
            HeadroomBound headroom,
            OrderDraft orders) {
        this.rules = rules;
        this.exclusion = exclusion;
        this.departures = departures;
        this.headroom = headroom;
        this.orders = orders;
    }

    void maximum(ContainerCapability largest) {
        maximum = largest;
    }

    ContainerCapability maximum() {
        return maximum;
    }

    /** Whether some node of the cluster could hold a container of this pool. */
    boolean isPlaceable(ContainerPool pool) {
        return maximum.covers(pool.needs.capability());
    }

    /** Number of executors that the pool wants, within the bound of all pools. */
    int wanted(ContainerPool pool) {
        return Math.min(pool.demand.executors(), rules.executorsMax());
    }

    void plan(Iterable<ContainerPool> pools, long now) {
        headroom.beginRound();
        for (ContainerPool pool : pools) {
            int missing = target(pool, now) - pool.held() - pool.asks.size();
            if (missing < 0) {
                cancel(pool, Math.min(pool.asks.size(), -missing));
            }
            if (missing > 0 || pool.placesChanged) {
                ask(pool, Math.max(0, missing), now);
            }
            pool.placesChanged = false;
        }
    }

    /** Cancels all asks of a pool. */
    void cancelAll(ContainerPool pool) {
        cancel(pool, pool.asks.size());
    }

    private int target(ContainerPool pool, long now) {
        int more = wanted(pool) - pool.held();
        if (more <= 0 || !isPlaceable(pool)) {
            return pool.held();
        }
        boolean bounded = rules.byHeadroom() || pool.demand.executors() == Demand.ALL.executors();
        if (bounded && pool.needs.place().nodeLabel().isEmpty()) { // the headroom is that of the default partition
            more = headroom.admits(more, pool.needs.capability());
        }
        if (!pool.backoff.remaining(now).isZero()) {
            more = Math.min(more, pool.asks.size());
        }
        return pool.held() + more;
    }

    private void ask(ContainerPool pool, int missing, long now) {
        Map<String, Integer> preferred = preferred(pool);
        List<Long> stale = pool.placesChanged ? stale(pool, preferred) : List.of();
        stale.forEach(key -> cancel(pool, key));
        int available = missing + stale.size();
        List<List<String>> local = List.of();
        if (!preferred.isEmpty() && pool.demand.tasksWithHosts() > 0) {
            int potential = available + pool.asks.anywhere().size();
            local =
                    LocalityPlacement.plan(potential, pool.localExecutors(), preferred, pool::heldOn, pool.asks)
                            .stream()
                            .filter(hosts -> !hosts.isEmpty())
                            .toList();
        }
        List<Long> replaced = pool.asks.anywhere().stream()
                .limit(Math.max(0, local.size() - available))
                .toList();
        replaced.forEach(key -> cancel(pool, key));
        if (pool.asks.size() == 0) {
            pool.waitingSinceNanos = now;
        }
        for (int free = available + replaced.size() - local.size(); free > 0; free--) {
            add(pool, List.of());
        }
        local.forEach(hosts -> add(pool, hosts));
    }

    /** Hosts that pending tasks prefer and where containers may start. */
    private Map<String, Integer> preferred(ContainerPool pool) {
        Map<String, Integer> preferred = new LinkedHashMap<>();
        pool.demand.tasksByHost().forEach((host, tasks) -> {
            if (tasks > 0 && !exclusion.contains(host) && !departures.isDecommissioning(host)) {
                preferred.put(host, tasks);
            }
        });
        return preferred;
    }

    private List<Long> stale(ContainerPool pool, Map<String, Integer> preferred) {
        List<Long> stale = new ArrayList<>();
        for (ContainerAsk ask : pool.asks.all()) {
            boolean excluded = ask.hosts().stream().anyMatch(exclusion::contains);
            boolean unwanted = ask.hosts().stream().noneMatch(preferred::containsKey);
            if (excluded || (unwanted && !ask.hosts().isEmpty())) {
                stale.add(ask.key());
            }
        }
        return stale;
    }

    private void add(ContainerPool pool, List<String> hosts) {
        ContainerAsk ask = new ContainerAsk(
                nextKey++, pool.priority, pool.group, pool.needs.capability(), hosts, pool.needs.place());
        pool.asks.add(ask);
        orders.ask(ask);
    }

    private void cancel(ContainerPool pool, long key) {
        pool.asks.remove(key);
        orders.cancel(key);
    }

    /** Cancels {@code count} asks: those that no task needs first, then those without hosts, then others. */
    private void cancel(ContainerPool pool, int count) {
        Map<String, Integer> preferred = preferred(pool);
        List<Long> keys = new ArrayList<>(stale(pool, preferred));
        keys.addAll(pool.asks.anywhere());
        if (keys.size() < count) {
            List<Long> others = new ArrayList<>();
            pool.asks.all().forEach(ask -> others.add(ask.key()));
            others.removeAll(new java.util.LinkedHashSet<>(keys));
            keys.addAll(others);
        }
        keys.stream().limit(count).forEach(key -> cancel(pool, key));
    }
}
