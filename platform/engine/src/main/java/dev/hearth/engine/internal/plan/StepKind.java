package dev.hearth.engine.internal.plan;

/** What a step does to the elements that pass. Constants are only added at the end: they travel by position. */
public enum StepKind {
    MAP,
    FILTER,
    FLAT_MAP,
    PARTITIONS,
    INDEXED_PARTITIONS,
    /** Elements are pairs; the function is given the value and makes the new one. */
    MAP_VALUES,
    /** Elements pass as they are and are kept: where they are kept already, nothing before this step is done. */
    KEEP
}
