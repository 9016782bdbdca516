package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of one driver to its cluster's backend. Each does nothing before the backend is open and after the application
 * has ended, and logs what the backend throws: a bug of one cluster manager must not end the driver's event loop, which
 * owns this object.
 */
final class BackendCalls {
    private static final Logger LOG = LoggerFactory.getLogger(BackendCalls.class);
    /**
     * Time for which the driver waits for the cluster manager's report about a lost executor, if the backend does not
     * supply this time.
     */
    private static final Duration LOSS_REPORT_WAIT = Duration.ofSeconds(5);

    private @Nullable SchedulerBackend backend;
    private boolean closed;

    void open(SchedulerBackend opened) {
        backend = opened;
    }

    /** Calls nothing from now on, except {@link #lossReportWait}. */
    void close() {
        closed = true;
    }

    boolean isOpen() {
        return backend != null && !closed;
    }

    void want(Supplier<Map<ProfileId, Demand>> demands, Set<String> excludedHosts) {
        call("wanting executors", current -> current.want(demands.get(), excludedHosts));
    }

    void release(ExecutorId executor, String reason) {
        call("releasing executor " + executor, current -> current.release(Set.of(executor), reason));
    }

    void registered(ExecutorId executor) {
        call("reporting the registration of executor " + executor, current -> current.registered(executor));
    }

    void doubted(ExecutorId executor) {
        call("asking about executor " + executor, current -> current.doubted(executor));
    }

    void decommissioned(ExecutorId executor) {
        call("reporting that executor " + executor + " leaves", current -> current.decommissioned(executor));
    }

    /** Time to wait for the backend's report about an executor whose connection is lost. */
    Duration lossReportWait() {
        SchedulerBackend current = backend;
        Duration wait = LOSS_REPORT_WAIT;
        if (current != null) {
            try {
                wait = current.lossReportWait();
            } catch (Throwable failure) { // catches Errors too, because a cluster manager's bundle may lack a class
                LOG.error("asking the backend how long to wait for reports about lost executors", failure);
            }
        }
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private void call(String what, Consumer<SchedulerBackend> call) {
        SchedulerBackend current = backend;
        if (current == null || closed) {
            return;
        }
        try {
            call.accept(current);
        } catch (Throwable failure) { // catches Errors too, because a cluster manager's bundle may lack a class
            LOG.error("{}", what, failure);
        }
    }
}
