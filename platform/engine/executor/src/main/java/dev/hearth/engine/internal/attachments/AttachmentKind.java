package dev.hearth.engine.internal.attachments;

/** What tasks make of an attachment. Constants are only added at the end. */
public enum AttachmentKind {
    /** Found under its name as it is. */
    FILE,
    /** Travels packed, and is found under its name as a directory. */
    DIRECTORY,
    /** Is added as an archive, and found unpacked under its name. */
    ARCHIVE,
    /** Classes in it are found by tasks. */
    JAR;

    boolean isPacked() {
        return this == DIRECTORY || this == ARCHIVE;
    }
}
