package dev.hearth.engine.internal.allocation;

/**
 * What an application has to do: attempts that executors hold, those of them that wait there for a core, tasks that wait for an
 * executor, copies of slow tasks that do, and the slots that the widest barrier stage needs at the same time.
 */
public record SchedulerLoad(long held, long queued, long waiting, long copies, int gang) {
    public static final SchedulerLoad NONE = new SchedulerLoad(0, 0, 0, 0, 0);

    long tasks() {
        return held + waiting + copies;
    }

    /** Whether more cores would be of use at once. */
    boolean isBacklogged() {
        return queued + waiting + copies > 0;
    }
}
