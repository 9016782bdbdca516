package dev.hearth.engine.internal.allocation;

/**
 * The work of an application, in numbers: {@code held} attempts are on executors, of which {@code queued} wait there
 * for a core; {@code waiting} tasks and {@code copies}, which are speculative attempts, wait for an executor;
 * {@code gang} slots are needed at the same time by the widest barrier stage.
 */
public record SchedulerLoad(long held, long queued, long waiting, long copies, int gang) {
    public static final SchedulerLoad NONE = new SchedulerLoad(0, 0, 0, 0, 0);

    long tasks() {
        return held + waiting + copies;
    }

    /** Whether work waits that additional cores would run at once. */
    boolean isBacklogged() {
        return queued + waiting + copies > 0;
    }
}
