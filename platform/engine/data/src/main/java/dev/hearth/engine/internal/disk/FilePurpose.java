package dev.hearth.engine.internal.disk;

/** What a file is for, which decides how it is compressed. */
public enum FilePurpose {
    /** The output of a map task. */
    SHUFFLE,
    /** What did not fit in memory. */
    SPILL
}
