package dev.hearth.status.events;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/**
 * Delivers the events of an application to its listeners; lives as long as the application's driver. Any thread may
 * publish, most often the driver's event loop; publishing never blocks. Each listener has a queue and a thread of its
 * own, so that a slow listener delays no other.
 */
public final class EventBus {
    private final String application;
    private final EventSettings settings;
    private final Ticker ticker;
    private final List<ListenerThread> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean wantsTasks;

    /**
     * Creates a bus without listeners. The name {@code application} becomes a part of the names of the listeners'
     * threads.
     */
    public EventBus(String application, EventSettings settings, Ticker ticker) {
        this.application = application;
        this.settings = settings;
        this.ticker = ticker;
    }

    /**
     * Adds {@code listener}, which receives all events that are published from now on. {@code name} identifies the
     * listener in logs and thread names.
     */
    public void add(String name, ApplicationListener listener) {
        listeners.add(new ListenerThread(application, name, listener, settings, ticker));
        wantsTasks = listeners.stream().anyMatch(ListenerThread::wantsTasks);
    }

    /** Removes {@code listener}. The listener still receives the events that were published before its removal. */
    public void remove(ApplicationListener listener) {
        List<ListenerThread> removed =
                listeners.stream().filter(thread -> thread.serves(listener)).toList();
        listeners.removeAll(removed);
        removed.forEach(ListenerThread::closeSoon);
        wantsTasks = listeners.stream().anyMatch(ListenerThread::wantsTasks);
    }

    /**
     * Asks all listeners again whether they want an event per task or only sums. Must be called before the first task
     * starts.
     */
    public void refreshInterest() {
        listeners.forEach(ListenerThread::refreshInterest);
        wantsTasks = listeners.stream().anyMatch(ListenerThread::wantsTasks);
    }

    /**
     * Whether any listener wants an event per task. If none does, the driver creates no such events, and calls {@link
     * #countStarted} and {@link #countEnded} instead.
     */
    public boolean wantsTasks() {
        return wantsTasks;
    }

    public void publish(ApplicationEvent event) {
        for (ListenerThread listener : listeners) {
            listener.add(event);
        }
    }

    /**
     * Publishes the event that the function {@code event} creates when it is called with the current wall-clock time in
     * milliseconds.
     */
    public void publishNow(LongFunction<ApplicationEvent> event) {
        publish(event.apply(ticker.wall().toEpochMilli()));
    }

    /**
     * Reports {@code tasks} started tasks of a stage attempt to all listeners as a sum, which replaces their
     * {@link ApplicationEvent.TaskStarted} events.
     */
    public void countStarted(long atMillis, int stage, int stageAttempt, int tasks) {
        for (ListenerThread listener : listeners) {
            listener.queue().countStarted(atMillis, stage, stageAttempt, tasks);
            listener.start();
        }
    }

    /** Adds an ended task to a sum per stage attempt, which replaces its {@link ApplicationEvent.TaskEnded} event. */
    public void countEnded(long atMillis, int stage, int stageAttempt, TaskOutcome outcome, TaskMetrics metrics) {
        for (ListenerThread listener : listeners) {
            listener.queue().countEnded(atMillis, stage, stageAttempt, outcome, metrics);
            listener.start();
        }
    }

    /** Whether the calling thread is the thread of a listener. */
    public boolean isListenerThread() {
        return listeners.stream().anyMatch(ListenerThread::isCurrent);
    }

    /**
     * Waits until all listeners have processed all events that are pending now. Returns false if that takes longer than
     * {@code bound}.
     */
    public boolean flush(Duration bound) throws InterruptedException {
        long end = ticker.nanos() + bound.toNanos();
        boolean flushed = true;
        for (ListenerThread listener : listeners) {
            flushed &= listener.queue().awaitEmpty(Duration.ofNanos(Math.max(0, end - ticker.nanos())), ticker);
        }
        return flushed;
    }

    /**
     * Closes the bus, which then accepts no more events. The returned future completes once every listener has
     * processed its pending events and is closed.
     */
    public CompletableFuture<Void> closing() {
        return CompletableFuture.allOf(
                listeners.stream().map(ListenerThread::close).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Closes the bus and waits up to {@code bound} for the listeners to process pending events; then abandons the
     * listeners that have not finished.
     */
    public void close(Duration bound) throws InterruptedException {
        try {
            closing().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            abandon();
        } catch (ExecutionException impossible) { // the futures of the listeners never fail
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Abandons the listeners that have not yet processed all events since the call of {@link #closing}: drops their
     * pending events and interrupts their threads.
     */
    public void abandon() {
        listeners.stream().filter(listener -> !listener.close().isDone()).forEach(ListenerThread::abandon);
    }
}
