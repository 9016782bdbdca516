package dev.hearth.engine.internal.allocation;

/**
 * The work of an application, as input of dynamic allocation. Executors hold {@code held} attempts, of which {@code
 * queued} wait there for a core. No executor has yet been chosen for the {@code waiting} tasks and the {@code copies}
 * (speculative attempts). {@code gang} is the total number of slots that the widest barrier stage needs at the same
 * time.
 */
public record SchedulerLoad(long held, long queued, long waiting, long copies, int gang) {
    public static final SchedulerLoad NONE = new SchedulerLoad(0, 0, 0, 0, 0);

    long tasks() {
        return held + waiting + copies;
    }

    /** Whether any work waits that could begin at once on additional cores. */
    boolean isBacklogged() {
        return queued + waiting + copies > 0;
    }
}
