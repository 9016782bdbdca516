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
 * What waits for one listener, in order. Guarded by its own lock; the listener's thread takes batches.
 * <p>Once {@code capacity} events wait, starts and ends of tasks are summed up, one sum per stage attempt, until half of them
 * have gone; sums keep the place of their first task. Other events always get in, {@link #othersMax} at most: there are a
 * few for each job, stage attempt, executor and speculation. Beyond that the listener has stopped reading and is given up.
 */
final class EventQueue {
    private static final int BATCH = 512;
    private static final int OTHERS_PER_CAPACITY = 4;
    /** How long a thread that has found nothing looks again by itself, so that a steady flow needs no wake-up per event. */
    private static final long LINGER_MILLIS = 10;

    private final int capacity;
    private final int othersMax;
    private boolean single;
    private final ArrayDeque<Object> waiting = new ArrayDeque<>(); // events, and sums of tasks
    private final List<TaskSummary> open = new ArrayList<>(); // sums that wait and may grow
    private boolean summing;
    private boolean idle; // the thread waits until it is woken
    private boolean busy; // the thread has a batch in hand
    private boolean closed;
    private boolean givenUp;

    EventQueue(int capacity, boolean single) {
        this.capacity = capacity;
        this.othersMax = capacity * OTHERS_PER_CAPACITY;
        this.single = single;
        this.summing = !single;
    }

    /** Whether single tasks are wanted from now on. */
    synchronized void want(boolean singleTasks) {
        single = singleTasks;
        summing = !singleTasks;
        open.clear();
    }

    /** What became of an event. */
    enum Fate {
        TAKEN,
        /** Too many wait: the listener was given up with this event. */
        GIVEN_UP,
        /** The queue is closed, or was given up before. */
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
                return Fate.TAKEN;
            }
        } else if (event instanceof TaskStarted started) {
            if (sums()) {
                sum(started.task().stage(), started.task().stageAttempt()).started(started.atMillis(), 1);
                return Fate.TAKEN;
            }
        } else if (waiting.size() >= capacity + othersMax) {
            closed = true;
            givenUp = true;
            waiting.clear();
            open.clear();
            notifyAll();
            return Fate.GIVEN_UP;
        }
        append(event);
        return Fate.TAKEN;
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

    /** The next events, at least one; empty once the queue is closed and all have gone. For the listener's thread. */
    synchronized List<ApplicationEvent> take() throws InterruptedException {
        busy = false;
        boolean lingered = false;
        while (waiting.isEmpty() && !closed) {
            if (lingered) {
                idle = true;
                wait();
                idle = false;
            } else {
                notifyAll(); // whoever waits for an empty queue
                wait(LINGER_MILLIS);
                lingered = true;
            }
        }
        int size = Math.min(BATCH, waiting.size());
        List<ApplicationEvent> batch = new ArrayList<>(size);
        for (int index = 0; index < size; index++) {
            batch.add(event(waiting.remove()));
        }
        if (single && summing && waiting.size() <= capacity / 2) {
            summing = false;
            open.clear();
        }
        busy = !batch.isEmpty();
        return batch;
    }

    /** Takes no more events; those that wait are still handed out. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits until the listener has heard all that is here, or comes meanwhile; false when {@code bound} was not enough. */
    synchronized boolean awaitEmpty(Duration bound, Ticker ticker) throws InterruptedException {
        long end = ticker.nanos() + bound.toNanos();
        notifyAll();
        for (long left = bound.toNanos(); (busy || !waiting.isEmpty()) && left > 0; left = end - ticker.nanos()) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
        return !busy && waiting.isEmpty();
    }

    synchronized int size() {
        return waiting.size();
    }

    synchronized boolean isGivenUp() {
        return givenUp;
    }

    private boolean sums() {
        if (!summing && waiting.size() >= capacity) {
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
        waiting.add(entry);
        if (idle || waiting.size() == capacity / 2) {
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

    /** The thread's last word: nobody waits for it any more. */
    synchronized void abandon() {
        busy = false;
        closed = true;
        waiting.clear();
        open.clear();
        notifyAll();
    }
}
