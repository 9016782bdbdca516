package dev.hearth.api.event;

/** The way in which a task attempt ended. The ordinals are serialised: add constants only at the end. */
public enum TaskOutcome {
    SUCCEEDED,
    /** The code of the task threw an exception. */
    FAILED,
    /** The attempt was killed: another attempt succeeded, its job was cancelled, or a user killed it. */
    KILLED,
    /** The executor was lost before the attempt ended. */
    EXECUTOR_LOST,
    /** Fetch failure: map output of an earlier stage could not be read. */
    FETCH_FAILED,
    /** The driver denied the commit of the output, because it permitted another attempt to commit. */
    COMMIT_DENIED,
    /** The driver took the attempt back from the executor's queue before it got a core. */
    RECALLED
}
