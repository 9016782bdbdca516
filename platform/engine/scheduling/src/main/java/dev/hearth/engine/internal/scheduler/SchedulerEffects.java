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
    private boolean taskStarts = true;
    private long settledNanos;
    private long settledMillis;

    void add(SchedulerEffect effect) {
        list.add(effect);
    }

    List<SchedulerEffect> drain() {
        List<SchedulerEffect> drained = list;
        list = new ArrayList<>();
        return drained;
    }

    void publishTaskStarts(boolean taskStarts) {
        this.taskStarts = taskStarts;
    }

    boolean publishesTaskStarts() {
        return taskStarts;
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
