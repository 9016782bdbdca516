package dev.hearth.engine.internal.plan;

/**
 * Method by which an executor stops an attempt that the driver no longer wants. An attempt that is still queued is
 * dropped, whatever the kind.
 */
public enum KillKind {
    /** Requests that the task stop. The task notices the request when it next checks whether it was killed. */
    END,
    /** Requests that the task stop, and also interrupts its thread. */
    INTERRUPT,
    /**
     * Drops the attempt only if it is still queued, so that its task can run on another executor. An attempt that has
     * begun continues.
     */
    RECALL;

    /**
     * The kind of kill for a running attempt: {@link #INTERRUPT} if {@code interrupt} is set, otherwise {@link #END}.
     */
    public static KillKind ending(boolean interrupt) {
        return interrupt ? INTERRUPT : END;
    }
}
