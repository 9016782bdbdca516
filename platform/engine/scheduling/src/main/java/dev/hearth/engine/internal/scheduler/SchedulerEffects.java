package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Collects the effects of the task scheduler in order, until {@code SchedulerShell} fetches and performs them. Converts
 * monotonic times to wall-clock times, which events contain. Owned by {@link TaskScheduler}.
 */
final class SchedulerEffects {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private List<SchedulerEffect> list = new ArrayList<>();
    private final List<Attempt> begun = new ArrayList<>(); // attempts that began since the last call of drain
    private final List<TaskSet> started = new ArrayList<>(); // task sets whose started attempts are published as a sum
    private boolean taskStarts = true;
    private long settledNanos;
    private long settledMillis;

    void add(SchedulerEffect effect) {
        list.add(effect);
    }

    List<SchedulerEffect> drain() {
        begun.forEach(this::publishStart);
        begun.clear();
        List<SchedulerEffect> drained = list;
        list = new ArrayList<>();
        if (started.isEmpty()) {
            return drained;
        }
        List<SchedulerEffect> all = new ArrayList<>(started.size() + drained.size());
        // starts are added first, because they must precede the ends
        started.forEach(set -> all.add(new SchedulerEffect.Started(set.id(), set.takeStarted())));
        started.clear();
        all.addAll(drained);
        return all;
    }

    /**
     * Records that an attempt has begun: its executor reported it, or the scheduler assumes it because a core was free
     * for the attempt. The start of the attempt is published at the next call of {@link #drain}.
     */
    void began(Attempt attempt) {
        attempt.launchedMillis = millis(attempt.begunNanos);
        begun.add(attempt);
    }

    /**
     * Publishes the start of an attempt as a single event, or as part of the sum in {@link SchedulerEffect.Started}.
     * Does nothing if the start is already published.
     */
    void publishStart(Attempt attempt) {
        if (attempt.startPublished) {
            return;
        }
        attempt.startPublished = true;
        if (taskStarts) {
            add(new SchedulerEffect.PublishEvent(
                    new ApplicationEvent.TaskStarted(attempt.launchedMillis, attempt.info())));
        } else if (attempt.set.countStarted()) {
            started.add(attempt.set);
        }
    }

    void publishTaskStarts(boolean taskStarts) {
        this.taskStarts = taskStarts;
    }

    /**
     * Stores readings of the monotonic clock and the wall clock at the same moment. {@link #millis} uses both readings
     * to convert monotonic times to wall-clock times.
     */
    void clocks(long nowNanos, long nowMillis) {
        settledNanos = nowNanos;
        settledMillis = nowMillis;
    }

    long millis(long nowNanos) {
        return settledMillis + (nowNanos - settledNanos) / NANOS_PER_MILLI;
    }

    void publish(long nowNanos, LongFunction<ApplicationEvent> event) {
        add(new SchedulerEffect.PublishEvent(event.apply(millis(nowNanos))));
    }
}
