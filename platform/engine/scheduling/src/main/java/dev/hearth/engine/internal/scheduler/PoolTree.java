package dev.hearth.engine.internal.scheduler;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where task sets queue: one pool for all of them, or a root that divides cores among pools by share and weight. Owned by
 * {@link TaskScheduler} and as old as it. A pool that is asked for and was not configured is made with defaults; the oldest of
 * those that have nothing to do go when there are many.
 */
public final class PoolTree {
    private static final int MADE_MAX = 100; // pools that were not configured, beside those that are busy

    private final SchedulingMode mode;
    private final Map<String, Pool> pools = new LinkedHashMap<>();
    private final Set<String> configured = new LinkedHashSet<>();

    private PoolTree(SchedulingMode mode) {
        this.mode = mode;
    }

    /** First in, first out, whatever pools are named. */
    public static PoolTree fifo() {
        return new PoolTree(SchedulingMode.FIFO);
    }

    /** Fair among {@code configured} and those that come to be asked for. */
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
                .map(pool -> new PoolSnapshot(pool.spec(), pool.size(), pool.runningTasks(), pool.stages()))
                .toList();
    }

    Pool pool(String asked) {
        String name = mode == SchedulingMode.FIFO || asked.isBlank() ? PoolSpec.DEFAULT_POOL : asked;
        Pool known = pools.get(name);
        if (known != null) {
            return known;
        }
        if (pools.size() - configured.size() >= MADE_MAX) {
            dropIdle();
        }
        Pool made = new Pool(PoolSpec.named(name));
        pools.put(name, made);
        return made;
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

    /** Whether giving a core to one set can change which is next. */
    boolean shares() {
        return mode == SchedulingMode.FAIR;
    }

    /** All sets in the order in which they are served now. A snapshot only where there is more than one pool. */
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
