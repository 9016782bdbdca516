package dev.hearth.status.events;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener with its queue and the daemon thread that calls the listener. The thread starts at the first event and
 * ends when the queue is closed and has no more events. The lock of this object guards the field {@code thread}; all
 * other state belongs to the queue or to the thread.
 */
final class ListenerThread {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerThread.class);
    /**
     * Number of failures of one listener that are logged with their stack trace; further failures are only counted.
     */
    private static final int FAILURES_LOGGED_MAX = 10;

    private final String name;
    private final String threadName;
    private final ApplicationListener listener;
    private final Optional<Duration> slow;
    private final Ticker ticker;
    private final EventQueue queue;
    private volatile boolean single;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private @Nullable Thread thread;
    private volatile boolean started; // read without the lock, so that adding an event is fast
    private long failures; // of the thread

    ListenerThread(
            String application, String name, ApplicationListener listener, EventSettings settings, Ticker ticker) {
        this.name = name;
        this.threadName = "hearth-events-" + application + "-" + name;
        this.listener = listener;
        this.slow = settings.slow();
        this.ticker = ticker;
        this.single = listener.hearsTasks();
        this.queue = new EventQueue(settings.capacity(), single);
    }

    EventQueue queue() {
        return queue;
    }

    boolean serves(ApplicationListener other) {
        return listener == other;
    }

    /** Closes the queue and returns at once; the listener's thread still processes the pending events. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener's thread completes the future
    void closeSoon() {
        close();
    }

    /**
     * Whether the listener wants an event per task and its queue is not abandoned. While the queue is full, the
     * listener nevertheless gets sums of tasks.
     */
    boolean wantsTasks() {
        return single && !queue.isAbandoned();
    }

    /** Asks the listener again whether it wants an event per task. If not, it gets sums of tasks. */
    void refreshInterest() {
        single = listener.hearsTasks();
        queue.want(single);
    }

    void add(ApplicationEvent event) {
        if (queue.add(event) == EventQueue.Fate.ABANDONED) {
            LOG.error(
                    "listener {}: too many pending events (expected: a listener that returns); it gets no further events",
                    name);
        }
        start();
    }

    void start() {
        if (!started) {
            startOnce();
        }
    }

    private synchronized void startOnce() {
        if (thread == null) {
            Thread created = new Thread(this::run, threadName);
            created.setDaemon(true);
            created.setContextClassLoader(listener.getClass().getClassLoader());
            created.start();
            thread = created;
            started = true;
        }
    }

    /**
     * Closes the queue, which then accepts no more events. The returned future completes once the listener has
     * processed the pending events and is closed.
     */
    CompletableFuture<Void> close() {
        queue.close();
        start();
        return ended;
    }

    synchronized boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /**
     * Drops the pending events and interrupts the listener's thread. Then the future that {@link #close} returned
     * completes, even if the listener hangs.
     */
    synchronized void abandon() {
        LOG.warn(
                "listener {}: its last {} events were not processed in time (expected: within the bound at the end)",
                name,
                queue.size());
        queue.abandon();
        if (thread != null) {
            thread.interrupt();
        }
        ended.complete(null);
    }

    private void run() {
        try {
            for (List<ApplicationEvent> batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
                long before = ticker.nanos();
                for (ApplicationEvent event : batch) {
                    deliver(event);
                    long after = ticker.nanos();
                    warnWhenSlow(event, after - before);
                    before = after;
                }
            }
        } catch (InterruptedException interrupted) { // either abandon or the listener's own code interrupted it
            LOG.debug("listener {}: interrupted", name, interrupted);
        } finally {
            queue.abandon();
            closeListener();
            ended.complete(null);
        }
    }

    private void deliver(ApplicationEvent event) {
        try {
            listener.on(event);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) {
            failures++;
            if (failures <= FAILURES_LOGGED_MAX) {
                LOG.error("listener {}: failed on {}; it still gets later events", name, kind(event), failure);
            }
        }
    }

    private void warnWhenSlow(ApplicationEvent event, long nanos) {
        if (slow.isPresent() && nanos >= slow.get().toNanos()) {
            LOG.warn("listener {}: took {} ms for {}", name, TimeUnit.NANOSECONDS.toMillis(nanos), kind(event));
        }
    }

    private void closeListener() {
        if (failures > FAILURES_LOGGED_MAX) {
            LOG.error("listener {}: failed {} times in all", name, failures);
        }
        if (listener instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception | LinkageError failure) {
                LOG.error("listener {}: closing", name, failure);
            }
        }
    }

    private static String kind(ApplicationEvent event) {
        return event.getClass().getSimpleName();
    }
}
