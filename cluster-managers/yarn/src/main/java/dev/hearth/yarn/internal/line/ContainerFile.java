package dev.hearth.yarn.internal.line;

/**
 * File that a NodeManager brings into the working directory of a container under the name {@code link}. {@code address}
 * is its URI; size and time of change must be those of the file. Immutable.
 */
public record ContainerFile(
        String link, String address, long bytes, long changedMillis, Kind kind, Visibility visibility) {
    /** Form of the file: as it is, or an archive that is unpacked into a directory. */
    public enum Kind {
        FILE,
        ARCHIVE
    }

    /** Circle of users who share the copy on a node. */
    public enum Visibility {
        PUBLIC,
        PRIVATE,
        APPLICATION
    }
}
