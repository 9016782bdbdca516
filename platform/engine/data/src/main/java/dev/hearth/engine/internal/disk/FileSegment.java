package dev.hearth.engine.internal.disk;

/**
 * Location of one segment of a finished file: all that is needed to read it without its writer. {@code id} is
 * the id of the file, which its checksums cover.
 */
public record FileSegment(String file, long id, int part, long offset, long bytes) {}
