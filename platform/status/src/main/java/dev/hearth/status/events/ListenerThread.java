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
 * One listener, its queue, and the daemon thread that calls it: started with the first event, ended with the queue.
 * {@code thread} is guarded by this; everything else belongs to the queue or to the thread.
 */
final class ListenerThread {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerThread.class);
    /** Failures of one listener that are logged with their stack; further ones are counted. */
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
    private volatile boolean started; // so that adding an event takes no second lock
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

    /** Whether it hears single tasks while it keeps up. */
    boolean tells(ApplicationListener told) {
        return listener == told;
    }

    /** Closes, and leaves it to the thread to hear what waits. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
    void closeSoon() {
        close();
    }

    boolean hearsTasks() {
        return single && !queue.isGivenUp();
    }

    /** Asks the listener anew whether it wants single tasks. */
    void ask() {
        single = listener.hearsTasks();
        queue.want(single);
    }

    void add(ApplicationEvent event) {
        if (queue.add(event) == EventQueue.Fate.GIVEN_UP) {
            LOG.error(
                    "listener {}: too many events wait for it (expected: one that returns); it hears no more, others do",
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
            Thread made = new Thread(this::run, threadName);
            made.setDaemon(true);
            made.setContextClassLoader(listener.getClass().getClassLoader());
            made.start();
            thread = made;
            started = true;
        }
    }

    /** Takes no more events; completes once the listener has heard those there are, and was closed. */
    CompletableFuture<Void> close() {
        queue.close();
        start();
        return ended;
    }

    synchronized boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    /** Drops what still waits, and interrupts the listener; nobody waits for it any more, even if it hears nothing. */
    synchronized void abandon() {
        LOG.warn(
                "listener {}: did not hear its last {} events in time (expected: within the bound at the end)",
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
                    tell(event);
                    long after = ticker.nanos();
                    warnWhenSlow(event, after - before);
                    before = after;
                }
            }
        } catch (InterruptedException told) { // by abandon, or by the listener's own code: either way it is over
            LOG.debug("listener {}: interrupted", name, told);
        } finally {
            queue.abandon();
            closeListener();
            ended.complete(null);
        }
    }

    private void tell(ApplicationEvent event) {
        try {
            listener.on(event);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) {
            failures++;
            if (failures <= FAILURES_LOGGED_MAX) {
                LOG.error("listener {}: failed on {}; it hears what follows", name, kind(event), failure);
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
