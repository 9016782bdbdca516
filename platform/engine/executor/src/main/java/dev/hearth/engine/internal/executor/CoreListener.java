package dev.hearth.engine.internal.executor;

/** Listener to the events of one executor core. Called on the core's thread. */
interface CoreListener {
    /**
     * Called when the core takes another task before the driver has received the ends of earlier tasks. The listener
     * must have these ends reported soon, as the new task may take long.
     */
    void endsPending();

    /** Called when a killed attempt has ended, so that the {@link TaskReaper} no longer watches it. */
    void killedAttemptEnded(TaskAttempt attempt);

    /**
     * Called after a fatal error on the core's thread, which may leave the process in an inconsistent state. If the
     * error ended an attempt, the end of that attempt has already been reported. {@code subject} says what failed.
     */
    void fatalError(String subject, Throwable error);
}
