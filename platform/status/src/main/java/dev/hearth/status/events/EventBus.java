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
 * Tells an application's listeners what happens in it; lives as long as its driver. Publishing never blocks and takes any
 * thread, mostly the driver's loop; each listener has a queue and a thread of its own, so a slow one slows only itself.
 */
public final class EventBus {
    private final String application;
    private final EventSettings settings;
    private final Ticker ticker;
    private final List<ListenerThread> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean wantsTasks;

    /** {@code application} stands in the names of threads. */
    public EventBus(String application, EventSettings settings, Ticker ticker) {
        this.application = application;
        this.settings = settings;
        this.ticker = ticker;
    }

    /** Tells {@code listener} what is published from now on; {@code name} is for logs and threads. */
    public void add(String name, ApplicationListener listener) {
        listeners.add(new ListenerThread(application, name, listener, settings, ticker));
        wantsTasks = listeners.stream().anyMatch(ListenerThread::hearsTasks);
    }

    /** Tells {@code listener} nothing more but what waits for it already. */
    public void remove(ApplicationListener listener) {
        List<ListenerThread> gone =
                listeners.stream().filter(told -> told.tells(listener)).toList();
        listeners.removeAll(gone);
        gone.forEach(ListenerThread::closeSoon);
        wantsTasks = listeners.stream().anyMatch(ListenerThread::hearsTasks);
    }

    /** Asks all listeners anew whether they want single tasks; for the time before there are any. */
    public void ask() {
        listeners.forEach(ListenerThread::ask);
        wantsTasks = listeners.stream().anyMatch(ListenerThread::hearsTasks);
    }

    /** Whether any listener hears single tasks; if none does, {@link #countStarted} and {@link #countEnded} are enough. */
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

    /** In place of that many {@link ApplicationEvent.TaskStarted}, where nobody wants them singly. */
    public void countStarted(long atMillis, int stage, int stageAttempt, int tasks) {
        for (ListenerThread listener : listeners) {
            listener.queue().countStarted(atMillis, stage, stageAttempt, tasks);
            listener.start();
        }
    }

    /** In place of a {@link ApplicationEvent.TaskEnded}, where nobody wants them singly. */
    public void countEnded(long atMillis, int stage, int stageAttempt, TaskOutcome outcome, TaskMetrics metrics) {
        for (ListenerThread listener : listeners) {
            listener.queue().countEnded(atMillis, stage, stageAttempt, outcome, metrics);
            listener.start();
        }
    }

    /** Whether a listener is the caller. */
    public boolean isListening() {
        return listeners.stream().anyMatch(ListenerThread::isCurrent);
    }

    /** Waits until all listeners have heard what was published before; false when {@code bound} was not enough. */
    public boolean flush(Duration bound) throws InterruptedException {
        long end = ticker.nanos() + bound.toNanos();
        boolean heard = true;
        for (ListenerThread listener : listeners) {
            heard &= listener.queue().awaitEmpty(Duration.ofNanos(Math.max(0, end - ticker.nanos())), ticker);
        }
        return heard;
    }

    /** Takes no more events; completes once every listener has heard those that wait, and was closed. Does not wait. */
    public CompletableFuture<Void> closing() {
        return CompletableFuture.allOf(
                listeners.stream().map(ListenerThread::close).toArray(CompletableFuture<?>[]::new));
    }

    /** Closes, waits up to {@code bound}, and gives up listeners that have not heard everything by then. */
    public void close(Duration bound) throws InterruptedException {
        try {
            closing().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            abandon();
        } catch (ExecutionException impossible) { // their stages only complete
            throw new IllegalStateException(impossible);
        }
    }

    /** Gives up listeners that have not heard everything yet; for when the bound on {@link #closing} is over. */
    public void abandon() {
        listeners.stream().filter(listener -> !listener.close().isDone()).forEach(ListenerThread::abandon);
    }
}
