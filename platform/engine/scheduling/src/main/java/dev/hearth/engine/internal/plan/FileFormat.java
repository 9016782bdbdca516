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
    /** Serialised objects of object files, as {@code saveAsObjectFile} writes them. */
    OBJECTS,
    /**
     * Binary files of records with equal length, read as byte arrays. A task's input begins with that length, before
     * its file splits.
     */
    FIXED_RECORDS,
    /**
     * Object files of a checkpoint. A missing or corrupt file always fails the task, even if settings let tasks skip
     * such files, because skipped data would be lost silently.
     */
    CHECKPOINT
}
