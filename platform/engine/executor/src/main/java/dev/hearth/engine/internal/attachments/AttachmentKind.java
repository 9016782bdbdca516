package dev.hearth.engine.internal.attachments;

/** How tasks use an attachment. The wire order is fixed: constants are only added at the end. */
public enum AttachmentKind {
    /** A file, available under its name. */
    FILE,
    /** A directory, packed for transport and available under its name. */
    DIRECTORY,
    /** An archive, available unpacked under its name. */
    ARCHIVE,
    /** A jar, whose classes tasks can load. */
    JAR;

    boolean isPacked() {
        return this == DIRECTORY || this == ARCHIVE;
    }
}
