package dev.hearth.engine.internal.disk;

/** Purpose of a temporary file. Each purpose has its own compression setting. */
public enum FilePurpose {
    /** The file is the output of a map task. */
    SHUFFLE,
    /** The file holds data that a task spilled because memory was short. */
    SPILL
}
