package dev.hearth.engine.internal.plan;

/** Method by which an executor stops an attempt that is no longer wanted. A queued attempt is dropped in any case. */
public enum KillKind {
    /** Requests that the task stop. The task notices the request at its next check. */
    END,
    /** Requests that the task stop, and also interrupts its thread. */
    INTERRUPT,
    /** Drops the attempt only if it is still queued, so that it can run elsewhere. A running attempt continues. */
    RECALL;

    /**
     * The kind of kill for a running attempt: {@link #INTERRUPT} if {@code interrupt} is set, otherwise {@link #END}.
     */
    public static KillKind ending(boolean interrupt) {
        return interrupt ? INTERRUPT : END;
    }
}
