package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Effects in order until the shell drains them, and the wall clock for the events among them. Owned by
 * {@link TaskScheduler}.
 */
final class SchedulerEffects {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private List<SchedulerEffect> list = new ArrayList<>();
    private final List<Attempt> begun = new ArrayList<>(); // since the last drain
    private final List<TaskSet> started = new ArrayList<>(); // sets with attempts to be counted as started
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
        started.forEach(set -> all.add(new SchedulerEffect.Started(set.id(), set.takeStarted()))); // before their ends
        started.clear();
        all.addAll(drained);
        return all;
    }

    /** Records that an attempt has a core from now on, as far as is known. The next drain publishes its start. */
    void began(Attempt attempt) {
        attempt.launchedMillis = millis(attempt.begunNanos);
        begun.add(attempt);
    }

    /** Publishes the start of an attempt once: as an event, or within a number. */
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

    /** Sets both clocks to readings of one moment. */
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
