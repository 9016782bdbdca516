package dev.hearth.engine.internal.scheduler;

/** The life of a task set: OPEN leads to FROZEN or OVER, FROZEN to OVER. */
enum TaskSetState {
    /** Tasks are launched. */
    OPEN,
    /** Something it reads is not there: nothing is launched any more, what runs goes on and counts. */
    FROZEN,
    /** Done, failed or cancelled: nothing counts any more, what runs was told to end. */
    OVER;

    boolean leadsTo(TaskSetState next) {
        return switch (this) {
            case OPEN -> next != OPEN;
            case FROZEN -> next == OVER;
            case OVER -> false;
        };
    }
}
