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
    /** Elements are pairs, kept for readers by their keys. */
    SHUFFLE,
    /** As {@link #SHUFFLE}, with the values of each key joined first. */
    SHUFFLE_REDUCED,
    /** As {@link #SHUFFLE_REDUCED}, by a {@link dev.hearth.api.function.Combiner}. */
    SHUFFLE_COMBINED,
    /** Elements are pairs: how many there are, and up to {@link Pipeline.Sink#limit} of their keys, each equally likely. */
    SAMPLE,
    /** Elements become lines of a file. */
    SAVE_TEXT,
    /** Elements become records of an object file. */
    SAVE_OBJECTS;

    /** Whether readers of a shuffle get what comes out. */
    public boolean shuffles() {
        return this == SHUFFLE || this == SHUFFLE_REDUCED || this == SHUFFLE_COMBINED;
    }

    /** Whether it makes a difference in which order elements come: to the result, or to whoever reads what is made of them. */
    public boolean tellsOrder() {
        return switch (this) {
            case COUNT, FOREACH, SAMPLE, SAVE_TEXT -> false;
            case COLLECT, REDUCE, TAKE, FOREACH_PARTITION, FUNCTION, SAVE_OBJECTS -> true;
            case SHUFFLE, SHUFFLE_REDUCED, SHUFFLE_COMBINED -> true;
        };
    }
}
