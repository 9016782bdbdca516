package dev.hearth.engine.internal.plan;

/**
 * Formats in which tasks read the files of a {@link Source.Files} source. The driver sends each task its splits as a
 * list with three elements per split: the path, the offset of the first byte, and the offset after the last byte.
 */
public enum FileFormat {
    /** Lines of text, as strings. */
    TEXT,
    /** One pair of path and text for each file. */
    WHOLE_TEXT,
    /** One pair of path and bytes for each file. */
    BINARY,
    /** Elements of object files. */
    OBJECTS,
    /** Byte arrays of equal length. The list of splits begins with that length. */
    FIXED_RECORDS,
    /**
     * Object files of a checkpoint. A missing or corrupt file always fails the task, even if settings let tasks skip
     * such files, because skipped data would be lost silently.
     */
    CHECKPOINT
}
