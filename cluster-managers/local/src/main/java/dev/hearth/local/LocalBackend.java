package dev.hearth.local;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backend with one executor inside the driver's process, started on demand. Owned by the application's event loop.
 * <p>At most one executor runs at a time; a later executor gets a new id. Excluded hosts are ignored, because this host
 * is the only one. Events are reported to the driver in separate actions of the event loop, never during a call.
 */
final class LocalBackend implements SchedulerBackend {
    private static final Logger LOG = LoggerFactory.getLogger(LocalBackend.class);
    private static final String HOST = "localhost";

    private final int cores;
    private final DriverServices driver;
    private final ApplicationId application;
    private @Nullable Running running; // null while no executor runs
    private int started;
    private boolean closed;

    LocalBackend(int cores, ApplicationId application, DriverServices driver) {
        this.cores = cores;
        this.driver = driver;
        this.application = application;
    }

    @Override
    public ApplicationId application() {
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        driver.loop().requireInLoop();
        boolean wanted = demands.getOrDefault(ProfileId.DEFAULT, Demand.NONE).executors() > 0;
        if (wanted && running == null && !closed) {
            start();
        }
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        driver.loop().requireInLoop();
        Running released = running;
        if (released != null && executors.contains(released.id)) {
            stop();
            report(released.id, LostExecutor.released(reason));
        }
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        driver.loop().requireInLoop();
        if (!closed) {
            LOG.debug("{}: ends as {}", application, result);
            closed = true;
            stop();
        }
        return CompletableFuture.completedStage(null);
    }

    private void start() {
        ExecutorId id = new ExecutorId(started == 0 ? "driver" : "driver-" + started);
        started++;
        driver.loop().execute(() -> driver.listener().started(id, HOST, cores));
        try {
            running = new Running(id, driver.executorHost().start(id, cores));
        } catch (RuntimeException failure) { // reported as a lost executor, as on any cluster
            LOG.warn("application {}: executor {} did not start", application, id, failure);
            report(id, LostExecutor.because("executor " + id + " did not start: " + failure));
        }
    }

    private void stop() {
        Running stopped = running;
        running = null;
        if (stopped != null) {
            stopped.executor.stop();
        }
    }

    private void report(ExecutorId id, LostExecutor why) {
        driver.loop().execute(() -> driver.listener().lost(id, why));
    }

    private record Running(ExecutorId id, ExecutorHost.RunningExecutor executor) {}
}
