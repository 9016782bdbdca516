package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Periodically removes broadcasts, accumulators, shuffles and datasets that the application no longer references. Each
 * job does so as well, but an application may run no job for hours. Started and stopped on the driver's event loop. The
 * garbage collection, which may block, runs on another thread.
 */
public final class ContextCleaner {
    private final EventLoop loop;
    private final Duration interval;
    private final Executor threads;
    private final SharedVariables shared;
    private final Runnable collect;
    private EventLoop.@Nullable Timeout next;

    /**
     * Creates a cleaner that calls {@code collect} at each {@code interval}, while any object is tracked.
     * {@code collect} runs a garbage collection of the JVM, after which weak references to unreachable objects are
     * enqueued.
     */
    public ContextCleaner(
            EventLoop loop, Duration interval, Executor threads, SharedVariables shared, Runnable collect) {
        this.loop = loop;
        this.interval = interval;
        this.threads = threads;
        this.shared = shared;
        this.collect = collect;
    }

    public void start() {
        next = loop.schedule(interval, () -> {
            if (shared.isTracking()) { // otherwise a garbage collection could find nothing to remove
                threads.execute(this::clean);
            }
            start();
        });
    }

    private void clean() {
        collect.run();
        shared.dropUnused();
    }

    public void stop() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }
}
