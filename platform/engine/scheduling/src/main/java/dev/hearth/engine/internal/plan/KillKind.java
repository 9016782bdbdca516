package dev.hearth.engine.internal.plan;

/** How an executor stops an attempt that is no longer wanted. A queued attempt is dropped, whichever kind it is. */
public enum KillKind {
    /** Asks the task to stop; the task notices at its next check. */
    END,
    /** Asks the task to stop, and also interrupts its thread. */
    INTERRUPT,
    /** Drops the attempt only while it is queued, so that it can run elsewhere; a running one goes on. */
    RECALL;

    /** The kind that ends a running attempt, with or without an interrupt. */
    public static KillKind ending(boolean interrupt) {
        return interrupt ? INTERRUPT : END;
    }
}
