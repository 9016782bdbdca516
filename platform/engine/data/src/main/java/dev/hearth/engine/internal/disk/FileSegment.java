package dev.hearth.engine.internal.disk;

/**
 * Location of one segment of a finished file: all information that a reader needs. {@code id} is the id of the file,
 * which the checksums in the file cover.
 */
public record FileSegment(String file, long id, int part, long offset, long bytes) {}
