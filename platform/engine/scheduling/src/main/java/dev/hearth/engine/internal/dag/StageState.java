package dev.hearth.engine.internal.dag;

/** States of a {@link Stage} in the stage scheduler. */
enum StageState {
    /** The stage neither runs nor waits: it was not requested yet, or its output is complete. */
    IDLE,
    /** The stage waits until the outputs of its parent stages are complete. */
    WAITING,
    /** The task scheduler runs the newest attempt of the stage. */
    RUNNING,
    /** The newest attempt failed, or outputs of the stage were lost. The stage waits for its retry. */
    RETRYING,
    /** The stage was removed, because no job needs it any more. */
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
