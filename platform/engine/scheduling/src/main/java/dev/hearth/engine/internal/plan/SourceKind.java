package dev.hearth.engine.internal.plan;

/** Where a task's elements come from. Constants are only added at the end: they travel by position. */
public enum SourceKind {
    /** From the driver, with the task. */
    INPUT,
    /** A pair of key and list of values for each key of a shuffle. */
    GROUPED,
    /** A pair of key and joined value for each key of a shuffle. */
    REDUCED,
    /** As {@link #REDUCED}, by a {@link dev.hearth.api.function.Combiner}; what arrives was combined by the map tasks. */
    COMBINED,
    /** The pairs of a shuffle as they come. */
    PAIRS,
    /** The pairs of a shuffle by the order of their keys. */
    SORTED,
    /** A pair of key and {@code List[]}, by shuffle, for each key of several. */
    COGROUPED,
    /** A pair of key and pair of values for each two of a key, of two shuffles. */
    JOINED,
    /** Lines of the parts of files that come with the task: a path, where it begins and where it ends, three by three. */
    TEXT,
    /** Pairs of path and content, of the files that come with the task as for {@link #TEXT}. */
    WHOLE_TEXT,
    /** As {@link #WHOLE_TEXT}, content as bytes. */
    BINARY,
    /** Elements of object files, parts as for {@link #TEXT}. */
    OBJECTS,
    /** Records of equal length, as bytes: the length in bytes, then parts as for {@link #TEXT}. */
    FIXED_RECORDS,
    /** As {@link #OBJECTS}, of what was written to be there: nothing that is missing or damaged is passed over. */
    CHECKPOINT,
    /** Nothing but what is kept: a local checkpoint. */
    KEPT,
    /** The elements of parts, one after the other. */
    UNION,
    /** What a {@link dev.hearth.api.function.ZipFunction} makes of two parts. */
    ZIPPED,
    /** A pair for each element of the first part and each of the second. */
    CROSSED,
    /** As {@link #COGROUPED}, of parts. */
    COGROUPED_PARTS,
    /** As {@link #JOINED}, of parts. */
    JOINED_PARTS;

    /** Whether elements come from a shuffle. */
    public boolean reads() {
        return switch (this) {
            case GROUPED, REDUCED, COMBINED, PAIRS, SORTED, COGROUPED, JOINED -> true;
            case INPUT, TEXT, WHOLE_TEXT, BINARY, OBJECTS, FIXED_RECORDS, CHECKPOINT, KEPT -> false;
            case UNION, ZIPPED, CROSSED, COGROUPED_PARTS, JOINED_PARTS -> false;
        };
    }

    /** Whether elements come from branches of the same stage. */
    public boolean gathers() {
        return switch (this) {
            case UNION, ZIPPED, CROSSED, COGROUPED_PARTS, JOINED_PARTS -> true;
            case GROUPED, REDUCED, COMBINED, PAIRS, SORTED, COGROUPED, JOINED -> false;
            case INPUT, TEXT, WHOLE_TEXT, BINARY, OBJECTS, FIXED_RECORDS, CHECKPOINT, KEPT -> false;
        };
    }
}
