package dev.hearth.engine.internal.plan;

/**
 * Formats in which tasks read the files of a {@link Source.Files} source. The driver sends each task the splits to
 * read: a path, the offset of the first byte and the offset after the last, as three elements for each split.
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
    /** Byte arrays of equal length. That length in bytes precedes the splits. */
    FIXED_RECORDS,
    /**
     * Object files of a checkpoint. A missing or corrupt file fails the task, even if settings let tasks skip such
     * files.
     */
    CHECKPOINT
}
