package dev.hearth.engine.internal.scheduler;

/** States of a task set: OPEN leads to FROZEN or to OVER, and FROZEN leads to OVER. */
enum TaskSetState {
    /** The initial state: pending tasks of the task set are launched as cores become free. */
    OPEN,
    /**
     * A task failed to fetch its input. No further task is launched; running tasks continue, and their successes count.
     */
    FROZEN,
    /**
     * The task set has succeeded, failed or been cancelled. Running tasks are being killed, and further results are
     * ignored.
     */
    OVER;

    boolean leadsTo(TaskSetState next) {
        return switch (this) {
            case OPEN -> next != OPEN;
            case FROZEN -> next == OVER;
            case OVER -> false;
        };
    }
}
