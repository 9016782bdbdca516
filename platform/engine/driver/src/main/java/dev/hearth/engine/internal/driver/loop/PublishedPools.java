package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.scheduler.PoolSnapshot;
import dev.hearth.engine.internal.scheduler.SchedulingMode;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.spi.monitor.PoolView;
import java.util.List;

/**
 * Snapshot of the scheduling pools for status pages. The driver's event loop refreshes it, at most once per period
 * while tasks run. Any thread may read it.
 */
final class PublishedPools {
    private static final long AGE_MAX_NANOS = 100_000_000;

    private long refreshedNanos;
    private volatile List<PoolView> published = List.of();

    List<PoolView> published() {
        return published;
    }

    void refresh(TaskScheduler tasks, long nowNanos) {
        if (nowNanos - refreshedNanos > AGE_MAX_NANOS || tasks.taskSets() == 0) {
            refreshedNanos = nowNanos;
            published = tasks.pools().stream().map(PublishedPools::view).toList();
        }
    }

    private static PoolView view(PoolSnapshot pool) {
        return new PoolView(
                pool.pool().name(),
                pool.pool().mode() == SchedulingMode.FAIR,
                pool.pool().weight(),
                pool.pool().minShare(),
                pool.runningTasks(),
                pool.stages());
    }
}
