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
    KEEP,
    /** Elements are pairs; the function is given the value and makes any number of new ones. */
    FLAT_MAP_VALUES,
    /** Elements are pairs, and all of a key are here: as {@link SourceKind#GROUPED}. */
    GROUP_KEYS,
    /** As {@link #GROUP_KEYS}, values joined. */
    REDUCE_KEYS,
    /** As {@link #GROUP_KEYS}, by a {@link dev.hearth.api.function.Combiner}. */
    COMBINE_KEYS;

    /** Whether what comes out depends on the order of what goes in: not where each element is taken by itself. */
    public boolean tellsOrder() {
        return switch (this) {
            case MAP, FILTER, FLAT_MAP, MAP_VALUES, FLAT_MAP_VALUES -> false;
            case PARTITIONS, INDEXED_PARTITIONS, KEEP, GROUP_KEYS, REDUCE_KEYS, COMBINE_KEYS -> true;
        };
    }
}
