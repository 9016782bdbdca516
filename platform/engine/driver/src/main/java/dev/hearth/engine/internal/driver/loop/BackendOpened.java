package dev.hearth.engine.internal.driver.loop;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.loop.EventLoop;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Task that passes a cluster manager's answer to the driver's event loop, after the driver has asked the manager to
 * open its application. The answer is a scheduler backend, or the failure to open one. If the loop has already ended,
 * the thread that delivers the answer closes the backend at once.
 */
record BackendOpened(
        String application,
        BiConsumer<@Nullable SchedulerBackend, @Nullable Throwable> driver,
        @Nullable SchedulerBackend backend,
        @Nullable Throwable failure)
        implements EventLoop.Droppable {
    private static final Logger LOG = LoggerFactory.getLogger(BackendOpened.class);

    @Override
    public void run() {
        driver.accept(backend, failure);
    }

    @Override
    public void dropped() {
        SchedulerBackend late = backend;
        if (late != null) {
            try {
                late.close(ApplicationResult.FAILED);
            } catch (Throwable thrown) { // catches Errors too: the cluster manager's bundle may lack a class
                LOG.error(
                        "application {}: failed to close a connection to the cluster that opened after the"
                                + " application had ended",
                        application,
                        thrown);
            }
        }
    }
}
