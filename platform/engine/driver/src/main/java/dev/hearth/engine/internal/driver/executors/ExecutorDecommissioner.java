package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.driver.blocks.DataMigrator;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decommissions executors. An executor is DRAINING while it runs tasks and MIGRATING while its data is copied to other
 * executors. After that the executor is passed once to the callback {@code stop}. An optional timeout covers both
 * phases together. Owned by the driver's event loop.
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

    private static final class Decommission {
        private final String reason;
        private Phase phase = Phase.DRAINING;

        Decommission(String reason) {
            this.reason = reason;
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

    /** Starts to decommission an executor. The caller ensures that no further task is launched on it. */
    void begin(ExecutorId executor, String reason) {
        Decommission leaver = new Decommission(reason);
        if (leavers.putIfAbsent(executor, leaver) == null) {
            LOG.info("executor {} is decommissioned: {}", executor, reason);
            bound.ifPresent(time -> loop.schedule(
                    time,
                    () -> end(
                            executor,
                            leaver,
                            reason + "; the decommission took longer than" + " " + time.toMillis() + " ms")));
            loop.execute(this::advance);
        }
    }

    /** Forgets an executor that was lost before it could be stopped. */
    void forget(ExecutorId executor) {
        leavers.remove(executor);
    }

    /** Starts to migrate the data of those decommissioned executors that no longer run any task. */
    void advance() {
        for (ExecutorId executor : List.copyOf(leavers.keySet())) {
            Decommission leaver = leavers.get(executor);
            if (leaver != null && leaver.phase == Phase.DRAINING && !busy.test(executor)) {
                leaver.phase = Phase.MIGRATING;
                migration
                        .migrate(executor)
                        .whenComplete((nothing, failure) -> loop.execute(() -> {
                            if (failure != null) {
                                LOG.warn(
                                        "executor {} stops before its data has migrated: {}",
                                        executor,
                                        Failures.describe(failure));
                            }
                            end(executor, leaver, leaver.reason);
                        }));
            }
        }
    }

    private void end(ExecutorId executor, Decommission leaver, String reason) {
        if (leavers.get(executor) == leaver) {
            stop.accept(executor, reason);
        }
    }
}
