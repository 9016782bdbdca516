package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.driver.blocks.DataMigrator;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decommissions executors. An executor is DRAINING while it runs tasks and MIGRATING while its data is copied to other
 * executors. After that the executor is passed once to the callback {@code stop}. An optional timeout covers both
 * phases together. If all reasons are withdrawn before, the executor is kept. Owned by the driver's event loop.
 */
public final class ExecutorDecommissioner {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorDecommissioner.class);

    private final EventLoop loop;
    private final DataMigrator migration;
    private final Optional<Duration> bound;
    private final Predicate<ExecutorId> busy;
    private final BiConsumer<ExecutorId, String> stop;
    private final Map<ExecutorId, Decommission> leavers = new LinkedHashMap<>();

    private enum Phase {
        DRAINING,
        MIGRATING
    }

    /** Origin of the order to decommission an executor. The cluster can withdraw its order; the driver cannot. */
    enum Origin {
        CLUSTER,
        DRIVER
    }

    private static final class Decommission {
        private final Map<Origin, String> reasons = new EnumMap<>(Origin.class);
        private Phase phase = Phase.DRAINING;
        private long endNanos; // of the time that the cluster leaves, while there is a timer
        private EventLoop.@Nullable Timeout timer;

        String reason() {
            return reasons.values().iterator().next();
        }

        void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }
    }

    /**
     * {@code busy} says whether an executor runs tasks. {@code stop} receives each executor to be stopped, and the
     * reason.
     */
    ExecutorDecommissioner(
            EventLoop loop,
            DataMigrator migration,
            Optional<Duration> bound,
            Predicate<ExecutorId> busy,
            BiConsumer<ExecutorId, String> stop) {
        this.loop = loop;
        this.migration = migration;
        this.bound = bound;
        this.busy = busy;
        this.stop = stop;
    }

    /**
     * Starts to decommission an executor. If that has already begun, only adds a reason to do so. The executor is
     * stopped after {@code within} at the latest, if that is given and earlier than before. The caller ensures that no
     * further task is launched on it.
     */
    void begin(ExecutorId executor, Origin origin, String reason, Optional<Duration> within) {
        Decommission known = leavers.get(executor);
        Decommission leaver = known == null ? new Decommission() : known;
        leaver.reasons.putIfAbsent(origin, reason);
        if (known == null) {
            leavers.put(executor, leaver);
            LOG.info("executor {} is decommissioned: {}", executor, reason);
            bound.ifPresent(time -> loop.schedule(time, () -> endAfter(executor, leaver, time)));
            loop.execute(this::advance);
        }
        within.ifPresent(time -> endBy(executor, leaver, time.isNegative() ? Duration.ZERO : time));
    }

    private void endBy(ExecutorId executor, Decommission leaver, Duration time) {
        long endNanos = loop.ticker().nanos() + time.toNanos();
        if (leaver.timer == null || endNanos - leaver.endNanos < 0) {
            leaver.cancelTimer();
            leaver.endNanos = endNanos;
            leaver.timer = loop.schedule(time, () -> endAfter(executor, leaver, time));
        }
    }

    private void endAfter(ExecutorId executor, Decommission leaver, Duration time) {
        end(executor, leaver, "; the decommission took longer than " + time.toMillis() + " ms");
    }

    /**
     * Withdraws the cluster's reason to decommission an executor, with the time limit that the cluster set. Returns
     * true if no other reason is left, so that the executor is no longer decommissioned.
     */
    boolean withdraw(ExecutorId executor) {
        Decommission leaver = leavers.get(executor);
        if (leaver == null || leaver.reasons.remove(Origin.CLUSTER) == null) {
            return false;
        }
        leaver.cancelTimer();
        boolean kept = leaver.reasons.isEmpty();
        if (kept) {
            leavers.remove(executor);
            LOG.info("executor {} is no longer decommissioned, because its cluster keeps it", executor);
        }
        return kept;
    }

    /** Forgets an executor that was lost before it could be stopped. */
    void forget(ExecutorId executor) {
        Decommission leaver = leavers.remove(executor);
        if (leaver != null) {
            leaver.cancelTimer();
        }
    }

    /** Starts to migrate the data of those decommissioned executors that no longer run any task. */
    void advance() {
        for (ExecutorId executor : List.copyOf(leavers.keySet())) {
            Decommission leaver = leavers.get(executor);
            if (leaver != null && leaver.phase == Phase.DRAINING && !busy.test(executor)) {
                leaver.phase = Phase.MIGRATING;
                migration
                        .migrate(executor)
                        .whenComplete((nothing, failure) -> loop.execute(() -> migrated(executor, leaver, failure)));
            }
        }
    }

    private void migrated(ExecutorId executor, Decommission leaver, @Nullable Throwable failure) {
        if (failure != null && leavers.get(executor) == leaver) {
            LOG.warn("executor {} stops before its data has migrated: {}", executor, Failures.describe(failure));
        }
        end(executor, leaver, "");
    }

    /**
     * Stops an executor, unless it was lost or its decommissioning was withdrawn meanwhile. {@code addition} is
     * appended to the reason for stopping it.
     */
    private void end(ExecutorId executor, Decommission leaver, String addition) {
        if (leavers.get(executor) == leaver) {
            stop.accept(executor, leaver.reason() + addition);
        }
    }
}
