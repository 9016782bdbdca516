package dev.hearth.engine.internal.driver.loop;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.loop.EventLoop;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer of a cluster to an application that opens: a backend, or the reason for which there is none. If the
 * driver's loop has ended by then, the backend is closed at once, on the thread that delivers it.
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
            } catch (Throwable thrown) { // an Error too: a cluster manager is a bundle and may lack a class
                LOG.error("application {}: closing a backend that came late", application, thrown);
            }
        }
    }
}
