package dev.hearth.engine.internal.driver;

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
 * Executors on their way out. Each is DRAINING while it runs tasks, EMPTYING while what lies on it is moved, and then handed to
 * {@code gone}, once; the time for both together may have a bound. Owned by the driver's loop.
 */
final class ExecutorDecommissioner {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorDecommissioner.class);

    private final EventLoop loop;
    private final DataMigrator departure;
    private final Optional<Duration> bound;
    private final Predicate<ExecutorId> busy;
    private final BiConsumer<ExecutorId, String> gone;
    private final Map<ExecutorId, Decommission> leavers = new LinkedHashMap<>();

    private enum Phase {
        DRAINING,
        EMPTYING
    }

    private static final class Decommission {
        private final String reason;
        private Phase phase = Phase.DRAINING;

        Decommission(String reason) {
            this.reason = reason;
        }
    }

    /** {@code busy} tells whether an executor runs anything, {@code gone} hears when one is to be stopped, and why. */
    ExecutorDecommissioner(
            EventLoop loop,
            DataMigrator departure,
            Optional<Duration> bound,
            Predicate<ExecutorId> busy,
            BiConsumer<ExecutorId, String> gone) {
        this.loop = loop;
        this.departure = departure;
        this.bound = bound;
        this.busy = busy;
        this.gone = gone;
    }

    /** Begins with an executor that is given no more tasks from now on. */
    void begin(ExecutorId executor, String reason) {
        Decommission leaver = new Decommission(reason);
        if (leavers.putIfAbsent(executor, leaver) == null) {
            LOG.info("executor {} leaves: {}", executor, reason);
            bound.ifPresent(time -> loop.schedule(
                    time, () -> end(executor, leaver, reason + "; it took longer than " + time.toMillis() + " ms")));
            loop.execute(this::look);
        }
    }

    /** It is gone before its time. */
    void forget(ExecutorId executor) {
        leavers.remove(executor);
    }

    /** Goes on with those that run nothing any more. */
    void look() {
        for (ExecutorId executor : List.copyOf(leavers.keySet())) {
            Decommission leaver = leavers.get(executor);
            if (leaver != null && leaver.phase == Phase.DRAINING && !busy.test(executor)) {
                leaver.phase = Phase.EMPTYING;
                departure
                        .empty(executor)
                        .whenComplete((nothing, failure) -> loop.execute(() -> {
                            if (failure != null) {
                                LOG.warn(
                                        "executor {} leaves with what it has: {}",
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
            gone.accept(executor, reason);
        }
    }
}
