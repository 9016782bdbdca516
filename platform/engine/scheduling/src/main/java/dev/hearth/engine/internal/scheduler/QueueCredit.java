package dev.hearth.engine.internal.scheduler;

/**
 * How many tasks of one set an executor may hold for each of its cores beyond the one that runs: many while tasks are short,
 * none once they are long, as far as run times that were reported tell. Owned by {@link TaskSet}.
 */
final class QueueCredit {
    /** The work that may wait for a core: about what a message there and back takes on a busy network. */
    static final long QUEUED_NANOS_PER_CORE = 4_000_000;

    /** Before any run time is known. */
    static final int FIRST_PER_CORE = 1;

    private static final int WEIGHT = 8; // one in so many is what a new run time counts
    private static final long RUN_NANOS_MIN = 1_000; // what an empty task costs its executor at least
    private static final long UNKNOWN = -1;

    private final int most;
    private long meanNanos = UNKNOWN;

    QueueCredit(int most) {
        this.most = most;
    }

    void ran(long nanos) {
        long run = Math.max(RUN_NANOS_MIN, nanos);
        meanNanos = meanNanos == UNKNOWN ? run : meanNanos + (run - meanNanos) / WEIGHT;
    }

    int perCore() {
        if (meanNanos == UNKNOWN) {
            return Math.min(most, FIRST_PER_CORE);
        }
        return (int) Math.min(most, QUEUED_NANOS_PER_CORE / meanNanos);
    }

    /** How long {@code queued} tasks keep {@code cores} busy; 0 where that is not known. */
    long nanosOf(int queued, int cores) {
        return meanNanos == UNKNOWN ? 0 : queued * meanNanos / cores;
    }
}
