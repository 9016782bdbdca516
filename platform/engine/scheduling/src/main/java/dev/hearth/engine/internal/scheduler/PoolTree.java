package dev.hearth.engine.internal.scheduler;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The scheduling pools. FIFO has a single pool; FAIR has several, which share the cores by minimum share and weight. If
 * a job names a pool that is not configured, the pool is created with default settings. If there are too many such
 * pools, idle ones are dropped, oldest first. Owned by {@link TaskScheduler}.
 */
public final class PoolTree {
    private static final int UNCONFIGURED_MAX = 100; // with more unconfigured pools, idle ones are dropped

    private final SchedulingMode mode;
    private final Map<String, Pool> pools = new LinkedHashMap<>();
    private final Set<String> configured = new LinkedHashSet<>();

    private PoolTree(SchedulingMode mode) {
        this.mode = mode;
    }

    /** Creates a tree for FIFO scheduling: one pool has all task sets, and the pools that jobs name are ignored. */
    public static PoolTree fifo() {
        return new PoolTree(SchedulingMode.FIFO);
    }

    /**
     * Creates a tree with the {@code configured} pools, which share the cores fairly with each other and with the pools
     * that jobs name later.
     */
    public static PoolTree fair(List<PoolSpec> configured) {
        PoolTree tree = new PoolTree(SchedulingMode.FAIR);
        configured.forEach(spec -> tree.pools.put(spec.name(), new Pool(spec)));
        tree.pool(PoolSpec.DEFAULT_POOL);
        tree.configured.addAll(tree.pools.keySet());
        return tree;
    }

    public SchedulingMode mode() {
        return mode;
    }

    public List<PoolSnapshot> view() {
        return pools.values().stream()
                .map(pool -> new PoolSnapshot(pool.spec(), pool.size(), pool.begunTasks(), pool.stages()))
                .toList();
    }

    Pool pool(String asked) {
        String name = mode == SchedulingMode.FIFO || asked.isBlank() ? PoolSpec.DEFAULT_POOL : asked;
        Pool known = pools.get(name);
        if (known != null) {
            return known;
        }
        if (pools.size() - configured.size() >= UNCONFIGURED_MAX) {
            dropIdle();
        }
        Pool created = new Pool(PoolSpec.named(name));
        pools.put(name, created);
        return created;
    }

    private void dropIdle() {
        for (Iterator<Map.Entry<String, Pool>> each = pools.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, Pool> pool = each.next();
            if (pool.getValue().isIdle() && !configured.contains(pool.getKey())) {
                each.remove();
                return;
            }
        }
    }

    /** Whether the mode is FAIR: pools share the cores fairly, so each launch can change the order of the task sets. */
    boolean isFair() {
        return mode == SchedulingMode.FAIR;
    }

    /**
     * The task sets of all pools, in the order in which cores are offered to them now. The list is a copy if there are
     * several pools, and a live view otherwise.
     */
    List<TaskSet> order() {
        if (pools.size() == 1) {
            return pools.values().iterator().next().order();
        }
        List<Pool> ranked = new ArrayList<>();
        for (Pool pool : pools.values()) {
            if (pool.size() > 0) {
                ranked.add(pool);
            }
        }
        ranked.sort(Pool.FAIR_ORDER);
        List<TaskSet> order = new ArrayList<>();
        ranked.forEach(pool -> order.addAll(pool.order()));
        return order;
    }
}
