package dev.hearth.engine.internal.plan;

/** How the files of a {@link Source.Files} source become elements. A task reads the splits of files in its input. */
public enum FileFormat {
    /** Lines of text. A split is a path, the offset of its first byte and the offset after its last, in three elements. */
    TEXT,
    /** One pair of path and text for each file. */
    WHOLE_TEXT,
    /** One pair of path and bytes for each file. */
    BINARY,
    /** Elements of object files. */
    OBJECTS,
    /** Byte arrays of equal length. The length in bytes stands before the splits. */
    FIXED_RECORDS,
    /** Object files of a checkpoint. Missing and corrupt files fail the task whatever the settings say. */
    CHECKPOINT
}
