package dev.hearth.engine.internal.disk;

/** Purpose of a file, which selects its compression. */
public enum FilePurpose {
    /** Output of a map task. */
    SHUFFLE,
    /** Data that did not fit in memory. */
    SPILL
}
