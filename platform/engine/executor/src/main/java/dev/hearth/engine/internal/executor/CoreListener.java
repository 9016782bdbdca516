package dev.hearth.engine.internal.executor;

/** What a core tells its executor while it runs tasks. Called by the core's thread. */
interface CoreListener {
    /** The core keeps ends back and goes on to another task. */
    void gathering();

    /** An attempt that was told to end has done so. */
    void ended(TaskAttempt attempt);

    /** An attempt met an error after which the process may not be sound. It has been reported. */
    void outOfControl(String subject, Throwable error);
}
