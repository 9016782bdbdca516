package dev.hearth.engine.internal.executor;

/** Listener to a core. Called by the core's thread. */
interface CoreListener {
    /** The core batches ends while it runs another task. */
    void endsPending();

    /** A killed attempt has killedAttemptEnded. */
    void killedAttemptEnded(TaskAttempt attempt);

    /** A fatal error occurred, after which the process may be unsound. The attempt has been reported. */
    void fatalError(String subject, Throwable error);
}
