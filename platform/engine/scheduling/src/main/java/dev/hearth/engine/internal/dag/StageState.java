package dev.hearth.engine.internal.dag;

/** States of a stage. */
enum StageState {
    /** Not requested, or complete. */
    IDLE,
    /** Waits for the outputs of its parents. */
    WAITING,
    /** The task scheduler runs its newest attempt. */
    RUNNING,
    /** The newest attempt of the stage failed, or outputs of the stage were lost; it waits for its retry. */
    RETRYING,
    /** Removed: no job needs it any more. */
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
