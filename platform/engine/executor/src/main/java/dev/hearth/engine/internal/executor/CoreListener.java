package dev.hearth.engine.internal.executor;

/** Listener to the events of one executor core. Called on the core's thread. */
interface CoreListener {
    /**
     * Called when the core takes another task although the ends of earlier tasks are not reported yet. The listener
     * must have these ends reported in time.
     */
    void endsPending();

    /** Called when a killed attempt has ended, so that the {@link TaskReaper} no longer watches it. */
    void killedAttemptEnded(TaskAttempt attempt);

    /**
     * Called after a fatal error, which may leave the process in an inconsistent state. The end of the attempt has
     * already been reported.
     */
    void fatalError(String subject, Throwable error);
}
