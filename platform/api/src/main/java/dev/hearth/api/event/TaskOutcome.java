package dev.hearth.api.event;

/** How a task attempt ended. The ordinals are serialised: add constants at the end alone. */
public enum TaskOutcome {
    SUCCEEDED,
    /** The task's own code threw. */
    FAILED,
    /** The attempt was killed: another attempt succeeded, its job was cancelled, or a user killed it. */
    KILLED,
    /** The executor was lost. */
    EXECUTOR_LOST,
    /** Fetch failure: map output of an earlier stage could not be read. */
    FETCH_FAILED,
    /** The driver denied the commit, because another attempt has it. */
    COMMIT_DENIED,
    /** The attempt was recalled from the executor's queue before it began. */
    RECALLED
}
