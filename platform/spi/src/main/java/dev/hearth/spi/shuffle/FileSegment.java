package dev.hearth.spi.shuffle;

/**
 * Location of one segment of a finished file: everything that a reader in another process needs. {@code id} identifies
 * the file and is part of all checksums in it, so a reader detects a file that replaced the original.
 */
public record FileSegment(String file, long id, int part, long offset, long bytes) {}
