package dev.hearth.engine.internal.scheduler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where task sets queue: one pool for all of them, or a root that divides cores among pools by share and weight. Owned by
 * {@link TaskScheduler} and as old as it. A pool that is asked for and was not configured is made with defaults.
 */
public final class PoolTree {
    private final SchedulingMode mode;
    private final Map<String, Pool> pools = new LinkedHashMap<>();

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
        return tree;
    }

    public SchedulingMode mode() {
        return mode;
    }

    public List<PoolView> view() {
        return pools.values().stream()
                .map(pool -> new PoolView(pool.spec(), pool.size(), pool.runningTasks()))
                .toList();
    }

    Pool pool(String asked) {
        String name = mode == SchedulingMode.FIFO || asked.isBlank() ? PoolSpec.DEFAULT_POOL : asked;
        return pools.computeIfAbsent(name, absent -> new Pool(PoolSpec.named(absent)));
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
        List<Pool> ranked = new ArrayList<>(pools.values());
        ranked.sort(Pool.FAIR_ORDER);
        List<TaskSet> order = new ArrayList<>();
        ranked.forEach(pool -> order.addAll(pool.order()));
        return order;
    }
}
