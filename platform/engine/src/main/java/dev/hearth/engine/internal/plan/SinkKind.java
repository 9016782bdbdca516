package dev.hearth.engine.internal.plan;

/** What a task makes of the elements that are left. Constants are only added at the end: they travel by position. */
public enum SinkKind {
    COUNT,
    COLLECT,
    REDUCE,
    /** As {@link #COLLECT}, of the first {@link Pipeline.Sink#limit} elements. */
    TAKE,
    FOREACH,
    FOREACH_PARTITION,
    /** Whatever a {@link dev.hearth.api.function.TaskFunction} makes. */
    FUNCTION,
    /** Elements are pairs, kept for readers by the hash of their keys. */
    SHUFFLE,
    /** As {@link #SHUFFLE}, with the values of each key joined first. */
    SHUFFLE_REDUCED
}
