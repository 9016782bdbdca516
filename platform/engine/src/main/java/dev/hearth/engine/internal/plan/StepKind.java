package dev.hearth.engine.internal.plan;

/** What a step does to each element. Constants are only added at the end: they travel by position. */
public enum StepKind {
    MAP,
    FILTER
}
