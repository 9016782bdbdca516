package dev.hearth.engine.internal.driver;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.loop.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster's answer to a driver. One that comes when the loop has ended is given back at once, on whatever thread it came. */
record BackendOpened(
        Driver driver,
        @Nullable SchedulerBackend held,
        @Nullable Throwable failure) implements EventLoop.Droppable {
    private static final Logger LOG = LoggerFactory.getLogger(BackendOpened.class);

    @Override
    public void run() {
        driver.settleOpening(held, failure);
    }

    @Override
    public void dropped() {
        SchedulerBackend late = held;
        if (late != null) {
            try {
                late.close(ApplicationResult.FAILED);
            } catch (Throwable thrown) { // a manager is a bundle: it may lack a class as well as throw
                LOG.error("application {}: closing a backend that came late", driver.name(), thrown);
            }
        }
    }
}
