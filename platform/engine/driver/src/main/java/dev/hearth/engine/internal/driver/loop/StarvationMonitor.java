package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.driver.executors.ExecutorRegistry;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns periodically while tasks wait and none runs, and names the cause. Owned by the driver's loop. */
final class StarvationMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(StarvationMonitor.class);

    private static final Duration CHECK = Duration.ofSeconds(15);

    private final EventLoop loop;
    private final String application;
    private final SchedulerShell scheduling;
    private final ExecutorRegistry registry;
    private boolean stopped;

    StarvationMonitor(EventLoop loop, String application, SchedulerShell scheduling, ExecutorRegistry registry) {
        this.loop = loop;
        this.application = application;
        this.scheduling = scheduling;
        this.registry = registry;
    }

    void watch() {
        loop.schedule(CHECK, () -> {
            if (!stopped) {
                warn();
                watch();
            }
        });
    }

    private void warn() {
        if (scheduling.isStarving()) {
            LOG.warn(
                    "application {}: jobs wait and no task runs: {} executors with {} cores are there (expected: 1 or"
                            + " more); has the cluster workers with enough free cores and memory?",
                    application,
                    registry.live().size(),
                    scheduling.cores());
        }
    }

    void stop() {
        stopped = true;
    }
}
