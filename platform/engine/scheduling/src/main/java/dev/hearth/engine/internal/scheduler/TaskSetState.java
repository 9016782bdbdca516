package dev.hearth.engine.internal.scheduler;

/** States of a task set: OPEN leads to FROZEN or OVER, FROZEN to OVER. */
enum TaskSetState {
    /** Pending tasks are launched. */
    OPEN,
    /** A fetch failed: no further task is launched; running tasks go on, and their successes count. */
    FROZEN,
    /** Succeeded, failed or cancelled: running tasks are being killed, and no result counts any more. */
    OVER;

    boolean leadsTo(TaskSetState next) {
        return switch (this) {
            case OPEN -> next != OPEN;
            case FROZEN -> next == OVER;
            case OVER -> false;
        };
    }
}
