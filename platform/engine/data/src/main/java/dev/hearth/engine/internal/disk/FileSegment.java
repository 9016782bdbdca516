package dev.hearth.engine.internal.disk;

/**
 * Where one part of a finished file lies: all that is needed to read it without its writer. {@code id} is the file's own, which
 * its checksums are made with.
 */
public record FileSegment(String file, long id, int part, long offset, long bytes) {}
