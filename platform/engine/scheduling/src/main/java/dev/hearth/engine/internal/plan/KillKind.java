package dev.hearth.engine.internal.plan;

/** How an executor stops an attempt that is no longer wanted. A queued attempt is dropped, whichever kind it is. */
public enum KillKind {
    /** Asks the task to stop; it checks for that by itself. */
    END,
    /** Asks the task to stop and interrupts its thread. */
    INTERRUPT,
    /** Drops the attempt only while it is queued, so that it can run elsewhere; a running one goes on. */
    RECALL;

    /** The kind for a running attempt. */
    public static KillKind ending(boolean interrupt) {
        return interrupt ? INTERRUPT : END;
    }
}
