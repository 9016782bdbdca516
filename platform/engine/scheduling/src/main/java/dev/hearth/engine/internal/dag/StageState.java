package dev.hearth.engine.internal.dag;

/** Where a stage stands. */
enum StageState {
    /** Nothing is to be done: it was not asked for yet, or all it makes is there. */
    IDLE,
    /** Waits for stages that it reads. */
    WAITING,
    /** Its newest attempt is with the task scheduler. */
    RUNNING,
    /** Its newest attempt failed, or outputs were lost; waits to be tried again. */
    RETRYING,
    /** No job needs it any more. */
    OVER;

    boolean leadsTo(StageState next) {
        return switch (this) {
            case IDLE -> next == WAITING || next == RUNNING || next == RETRYING || next == OVER;
            case WAITING -> next == RUNNING || next == IDLE || next == OVER;
            case RUNNING -> next == IDLE || next == RETRYING || next == OVER;
            case RETRYING -> next == IDLE || next == OVER;
            case OVER -> false;
        };
    }
}
