package dev.hearth.engine.internal.io;

/**
 * Split of an input file: the records that begin at a byte from {@code from} to before {@code until}. A compressed
 * file is one split, measured in compressed bytes. Immutable.
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
