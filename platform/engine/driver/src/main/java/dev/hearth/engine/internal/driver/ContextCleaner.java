package dev.hearth.engine.internal.driver;

import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then for what the program has dropped: jobs do so as well, but a program may run none for hours. Started and
 * stopped on the driver's loop; collects garbage on another thread.
 */
final class ContextCleaner {
    private final EventLoop loop;
    private final Duration interval;
    private final Executor threads;
    private final SharedVariables shared;
    private final Runnable collect;
    private EventLoop.@Nullable Timeout next;

    /** {@code collect} has the process find out what is dropped. */
    ContextCleaner(EventLoop loop, Duration interval, Executor threads, SharedVariables shared, Runnable collect) {
        this.loop = loop;
        this.interval = interval;
        this.threads = threads;
        this.shared = shared;
        this.collect = collect;
    }

    void start() {
        next = loop.schedule(interval, () -> {
            if (shared.isTracking()) { // else the program would be stopped for nothing
                threads.execute(this::clean);
            }
            start();
        });
    }

    private void clean() {
        collect.run();
        shared.dropUnused();
    }

    void stop() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }
}
