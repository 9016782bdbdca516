package dev.hearth.engine.internal.attachments;

/**
 * Kind of an attachment, which decides how tasks use it. Messages contain a kind as its ordinal, so constants are only
 * added at the end.
 */
public enum AttachmentKind {
    /** A file, which tasks find by its name. */
    FILE,
    /** A directory, which is packed for transport, and which tasks find by its name. */
    DIRECTORY,
    /** An archive, which tasks find by its name and see unpacked. */
    ARCHIVE,
    /** A jar, whose classes tasks can load. */
    JAR;

    boolean isPacked() {
        return this == DIRECTORY || this == ARCHIVE;
    }
}
