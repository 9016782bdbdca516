package dev.hearth.engine.internal.executor;

/** Listener to the events of one executor core. Called on the core's thread. */
interface CoreListener {
    /**
     * The core has ended tasks that are not reported yet while it runs another task. The listener must have them
     * reported in time.
     */
    void endsPending();

    /** Called when a killed attempt has ended, so that it is no longer watched. */
    void killedAttemptEnded(TaskAttempt attempt);

    /**
     * Called after a fatal error, which may leave the process in an inconsistent state. The end of the attempt has
     * already been reported.
     */
    void fatalError(String subject, Throwable error);
}
