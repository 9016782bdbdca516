package dev.hearth.engine.internal.plan;

/** What a task makes of the elements that are left. Constants are only added at the end: they travel by position. */
public enum ActionKind {
    COUNT,
    COLLECT,
    REDUCE
}
