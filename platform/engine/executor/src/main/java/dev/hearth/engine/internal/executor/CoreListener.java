package dev.hearth.engine.internal.executor;

/** Listener to the events of a core. Called by the core's thread. */
interface CoreListener {
    /** The core has ended tasks to report while it runs another one, so the listener must report them in time. */
    void endsPending();

    /** An attempt that was killed has ended. */
    void killedAttemptEnded(TaskAttempt attempt);

    /**
     * A fatal error occurred, after which the process may be in an inconsistent state. The end of the attempt has been
     * reported.
     */
    void fatalError(String subject, Throwable error);
}
