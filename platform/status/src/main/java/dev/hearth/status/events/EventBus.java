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
 * Delivers the events of an application to its listeners; lives as long as its driver. Any thread may publish, mostly
 * the driver's loop does; publishing never blocks. Each listener has a queue and a thread of its own, so that a slow
 * listener delays no other.
 */
public final class EventBus {
    private final String application;
    private final EventSettings settings;
    private final Ticker ticker;
    private final List<ListenerThread> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean wantsTasks;

    /** {@code application} becomes a part of the thread names. */
    public EventBus(String application, EventSettings settings, Ticker ticker) {
        this.application = application;
        this.settings = settings;
        this.ticker = ticker;
    }

    /** Delivers all later events to {@code listener}; {@code name} is for logs and threads. */
    public void add(String name, ApplicationListener listener) {
        listeners.add(new ListenerThread(application, name, listener, settings, ticker));
        wantsTasks = listeners.stream().anyMatch(ListenerThread::wantsTasks);
    }

    /** Removes {@code listener}, which still receives its pending events. */
    public void remove(ApplicationListener listener) {
        List<ListenerThread> removed =
                listeners.stream().filter(thread -> thread.serves(listener)).toList();
        listeners.removeAll(removed);
        removed.forEach(ListenerThread::closeSoon);
        wantsTasks = listeners.stream().anyMatch(ListenerThread::wantsTasks);
    }

    /** Asks all listeners again whether they want single tasks. To be called before the first task. */
    public void refreshInterest() {
        listeners.forEach(ListenerThread::refreshInterest);
        wantsTasks = listeners.stream().anyMatch(ListenerThread::wantsTasks);
    }

    /** Whether any listener wants single tasks. If none does, {@link #countStarted} and {@link #countEnded} suffice. */
    public boolean wantsTasks() {
        return wantsTasks;
    }

    public void publish(ApplicationEvent event) {
        for (ListenerThread listener : listeners) {
            listener.add(event);
        }
    }

    /** Publishes the event that {@code event} makes of the current wall clock time in milliseconds. */
    public void publishNow(LongFunction<ApplicationEvent> event) {
        publish(event.apply(ticker.wall().toEpochMilli()));
    }

    /** Counts started tasks, in place of single {@link ApplicationEvent.TaskStarted} events. */
    public void countStarted(long atMillis, int stage, int stageAttempt, int tasks) {
        for (ListenerThread listener : listeners) {
            listener.queue().countStarted(atMillis, stage, stageAttempt, tasks);
            listener.start();
        }
    }

    /** Counts an ended task, in place of a single {@link ApplicationEvent.TaskEnded} event. */
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

    /** Waits until all listeners have processed the events so far. False if that takes longer than {@code bound}. */
    public boolean flush(Duration bound) throws InterruptedException {
        long end = ticker.nanos() + bound.toNanos();
        boolean flushed = true;
        for (ListenerThread listener : listeners) {
            flushed &= listener.queue().awaitEmpty(Duration.ofNanos(Math.max(0, end - ticker.nanos())), ticker);
        }
        return flushed;
    }

    /** Accepts no more events. Completes once every listener has processed its pending events and is closed. */
    public CompletableFuture<Void> closing() {
        return CompletableFuture.allOf(
                listeners.stream().map(ListenerThread::close).toArray(CompletableFuture<?>[]::new));
    }

    /** Closes the bus, waits up to {@code bound}, then abandons the listeners that still have pending events. */
    public void close(Duration bound) throws InterruptedException {
        try {
            closing().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            abandon();
        } catch (ExecutionException impossible) { // the futures never fail
            throw new IllegalStateException(impossible);
        }
    }

    /** Abandons the listeners that still have pending events, when the bound on {@link #closing} is over. */
    public void abandon() {
        listeners.stream().filter(listener -> !listener.close().isDone()).forEach(ListenerThread::abandon);
    }
}
