package dev.hearth.engine.internal.io;

/**
 * Part of an input file that one task reads: the records whose first byte is at offset {@code from} or later, but
 * before {@code until}. A compressed file is always one split, and its offsets count compressed bytes. Immutable.
 */
public record FileSplit(String path, long from, long until) {
    public FileSplit {
        if (from < 0 || until < from) {
            throw new IllegalArgumentException(
                    "part of " + path + ": from " + from + " until " + until + " (expected: 0 <= from <= until)");
        }
    }

    public long length() {
        return until - from;
    }
}
