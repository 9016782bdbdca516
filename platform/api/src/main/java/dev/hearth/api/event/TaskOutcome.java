package dev.hearth.api.event;

/** How an attempt at a task ended. Constants are only added at the end: they travel by position. */
public enum TaskOutcome {
    SUCCEEDED,
    /** The task's own code threw. */
    FAILED,
    /** It was told to end: another attempt succeeded, its job was cancelled, or somebody asked. */
    KILLED,
    /** Its executor went away. */
    EXECUTOR_LOST,
    /** What an earlier stage had written could not be read any more. */
    FETCH_FAILED,
    /** It may not publish its output: another attempt did. */
    COMMIT_DENIED,
    /** It had not begun when it was taken back. */
    RECALLED
}
