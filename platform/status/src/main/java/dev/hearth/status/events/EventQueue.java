package dev.hearth.status.events;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Queue of the pending events of one listener, whose thread takes them in batches. Guarded by its own lock.
 * <p>Once {@code capacity} events are pending, starts and ends of tasks are summed per stage attempt, until half of the
 * events are processed. A sum is delivered in place of the event of its first task. Other events are few, so {@link
 * #othersMax} more of them are accepted. Beyond that bound the listener counts as stuck and is abandoned.
 */
final class EventQueue {
    private static final int BATCH = 512;
    private static final int OTHERS_PER_CAPACITY = 4;
    /**
     * Time that the listener's thread waits for the next event before it asks to be woken. In a steady flow of events,
     * the next one arrives within this time and need not wake the thread.
     */
    private static final long LINGER_MILLIS = 10;

    private final int capacity;
    private final int othersMax;
    private boolean single;
    private final ArrayDeque<Object> pending = new ArrayDeque<>(); // events, and sums of tasks
    private final List<TaskSummary> open = new ArrayList<>(); // sums in the queue, to which tasks can still be added
    private boolean summing;
    private boolean idle; // whether the listener's thread waits until it is woken
    private boolean busy; // whether the listener's thread processes a batch
    private boolean closed;
    private boolean abandoned;

    EventQueue(int capacity, boolean single) {
        this.capacity = capacity;
        this.othersMax = capacity * OTHERS_PER_CAPACITY;
        this.single = single;
        this.summing = !single;
    }

    /** Sets whether the listener gets, from now on, an event per task or only sums of tasks. */
    synchronized void want(boolean singleTasks) {
        single = singleTasks;
        summing = !singleTasks;
        open.clear();
    }

    /** Outcome of adding one event to the queue: whether the listener will receive the event. */
    enum Fate {
        ACCEPTED,
        /** Too many events are pending: this event was dropped, and the listener is abandoned. */
        ABANDONED,
        /** The event was dropped, because the queue no longer accepts events: it was closed or abandoned. */
        IGNORED
    }

    synchronized Fate add(ApplicationEvent event) {
        if (closed) {
            return Fate.IGNORED;
        }
        if (event instanceof TaskEnded ended) {
            if (sums()) {
                sum(ended.task().stage(), ended.task().stageAttempt())
                        .ended(ended.atMillis(), ended.outcome(), ended.metrics());
                return Fate.ACCEPTED;
            }
        } else if (event instanceof TaskStarted started) {
            if (sums()) {
                sum(started.task().stage(), started.task().stageAttempt()).started(started.atMillis(), 1);
                return Fate.ACCEPTED;
            }
        } else if (pending.size() >= capacity + othersMax) {
            closed = true;
            abandoned = true;
            pending.clear();
            open.clear();
            notifyAll();
            return Fate.ABANDONED;
        }
        append(event);
        return Fate.ACCEPTED;
    }

    synchronized void countStarted(long atMillis, int stage, int stageAttempt, int tasks) {
        if (!closed) {
            sum(stage, stageAttempt).started(atMillis, tasks);
        }
    }

    synchronized void countEnded(long atMillis, int stage, int stageAttempt, TaskOutcome outcome, TaskMetrics metrics) {
        if (!closed) {
            sum(stage, stageAttempt).ended(atMillis, outcome, metrics);
        }
    }

    /**
     * Waits for the next events and returns at least one of them. Returns an empty list once the queue is closed and
     * has no more events. Called by the listener's thread.
     */
    synchronized List<ApplicationEvent> take() throws InterruptedException {
        busy = false;
        boolean lingered = false;
        while (pending.isEmpty() && !closed) {
            if (lingered) {
                idle = true;
                wait();
                idle = false;
            } else {
                notifyAll(); // threads in awaitEmpty
                wait(LINGER_MILLIS);
                lingered = true;
            }
        }
        int size = Math.min(BATCH, pending.size());
        List<ApplicationEvent> batch = new ArrayList<>(size);
        for (int index = 0; index < size; index++) {
            batch.add(event(pending.remove()));
        }
        if (single && summing && pending.size() <= capacity / 2) {
            summing = false;
            open.clear();
        }
        busy = !batch.isEmpty();
        return batch;
    }

    /** Closes the queue: it accepts no more events, but the pending events are still delivered. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /**
     * Waits until the listener has processed every event that was added to this queue. Returns false if that takes
     * longer than {@code bound}.
     */
    synchronized boolean awaitEmpty(Duration bound, Ticker ticker) throws InterruptedException {
        long end = ticker.nanos() + bound.toNanos();
        notifyAll();
        for (long left = bound.toNanos(); (busy || !pending.isEmpty()) && left > 0; left = end - ticker.nanos()) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
        return !busy && pending.isEmpty();
    }

    synchronized int size() {
        return pending.size();
    }

    synchronized boolean isAbandoned() {
        return abandoned;
    }

    private boolean sums() {
        if (!summing && pending.size() >= capacity) {
            summing = true;
        }
        return summing;
    }

    private TaskSummary sum(int stage, int stageAttempt) {
        for (int index = open.size() - 1; index >= 0; index--) {
            if (open.get(index).isOf(stage, stageAttempt)) {
                return open.get(index);
            }
        }
        TaskSummary added = new TaskSummary(stage, stageAttempt);
        open.add(added);
        append(added);
        return added;
    }

    private void append(Object entry) {
        pending.add(entry);
        if (idle || pending.size() == capacity / 2) {
            idle = false;
            notifyAll();
        }
    }

    private ApplicationEvent event(Object entry) {
        if (entry instanceof TaskSummary sum) {
            open.remove(sum);
            return sum.event();
        }
        return (ApplicationEvent) entry;
    }

    /**
     * Drops the pending events and accepts no more. Called at the end of the listener's thread, or when the listener is
     * abandoned.
     */
    synchronized void abandon() {
        busy = false;
        closed = true;
        pending.clear();
        open.clear();
        notifyAll();
    }
}
