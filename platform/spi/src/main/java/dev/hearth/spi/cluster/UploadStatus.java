package dev.hearth.spi.cluster;

/** Part of a file that a cluster holds: its first {@code bytes} bytes. Immutable. */
public record UploadStatus(Stage stage, long bytes) {
    /** Progress of an upload in pieces. */
    public enum Stage {
        /** The next piece begins at byte {@code bytes}. */
        PARTIAL,
        /** The piece was not taken, because the next one begins at byte {@code bytes}. */
        MISPLACED,
        /** The piece was the last one. */
        COMPLETED,
        /** The cluster had the whole file before. */
        HELD
    }
}
