package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** What is to be done, in order, until it is handed out; and the wall clock for what is told. Owned by {@link TaskScheduler}. */
final class SchedulerEffects {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private List<SchedulerEffect> list = new ArrayList<>();
    private boolean telling = true;
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

    void tellTasks(boolean telling) {
        this.telling = telling;
    }

    boolean tellsTasks() {
        return telling;
    }

    /** What the two clocks say at the same moment. */
    void clocks(long nowNanos, long nowMillis) {
        settledNanos = nowNanos;
        settledMillis = nowMillis;
    }

    long millis(long nowNanos) {
        return settledMillis + (nowNanos - settledNanos) / NANOS_PER_MILLI;
    }

    void tell(long nowNanos, LongFunction<ApplicationEvent> event) {
        add(new SchedulerEffect.PublishEvent(event.apply(millis(nowNanos))));
    }
}
