package dev.hearth.engine.internal.plan;

/** What an attempt that is not wanted is told. One that has not begun is taken back, whichever it is. */
public enum KillKind {
    /** To end by itself. */
    END,
    /** To end, and its thread is interrupted. */
    INTERRUPT,
    /** To go elsewhere: once it has begun it goes on. */
    RECALL;

    /** How an attempt ends that has begun. */
    public static KillKind ending(boolean interrupt) {
        return interrupt ? INTERRUPT : END;
    }
}
