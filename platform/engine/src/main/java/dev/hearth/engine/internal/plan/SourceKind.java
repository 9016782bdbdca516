package dev.hearth.engine.internal.plan;

/** Where a task's elements come from. Constants are only added at the end: they travel by position. */
public enum SourceKind {
    /** From the driver, with the task. */
    INPUT,
    /** A pair of key and list of values for each key of a shuffle. */
    GROUPED,
    /** A pair of key and joined value for each key of a shuffle. */
    REDUCED
}
