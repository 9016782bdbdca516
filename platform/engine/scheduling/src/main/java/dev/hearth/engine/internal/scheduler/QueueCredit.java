package dev.hearth.engine.internal.scheduler;

/**
 * Number of tasks of one task set that may be queued at an executor for each of its cores. Queued tasks let a core
 * continue without waiting for a message from the driver. The number is high for short tasks and 0 for long ones. It is
 * computed from a moving average of the reported run times. Owned by {@link TaskSet}.
 */
final class QueueCredit {
    /**
     * Estimated run time, in nanoseconds, of the tasks that may be queued per core of an executor. It covers about one
     * round trip between driver and executor on a busy network.
     */
    static final long QUEUED_NANOS_PER_CORE = 4_000_000;

    /** Number of tasks that may be queued per core of an executor before a run time of any task of the set is known. */
    static final int FIRST_PER_CORE = 1;

    private static final int WEIGHT = 8; // a new run time counts for one eighth of the average
    private static final long RUN_NANOS_MIN = 1_000; // lower bound for run times, so that the average is never 0
    private static final long UNKNOWN = -1;

    private final int tasksMax;
    private long meanNanos = UNKNOWN;

    QueueCredit(int tasksMax) {
        this.tasksMax = tasksMax;
    }

    void addRunTime(long nanos) {
        long run = Math.max(RUN_NANOS_MIN, nanos);
        meanNanos = meanNanos == UNKNOWN ? run : meanNanos + (run - meanNanos) / WEIGHT;
    }

    int perCore() {
        if (meanNanos == UNKNOWN) {
            return Math.min(tasksMax, FIRST_PER_CORE);
        }
        return (int) Math.min(tasksMax, QUEUED_NANOS_PER_CORE / meanNanos);
    }

    /**
     * Estimated time, in nanoseconds, in which {@code cores} cores finish {@code queued} tasks of the task set. Returns
     * 0 while no run time is known.
     */
    long nanosOf(int queued, int cores) {
        return meanNanos == UNKNOWN ? 0 : queued * meanNanos / cores;
    }
}
