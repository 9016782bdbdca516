package dev.hearth.engine.internal.io;

/**
 * A piece of a file: what begins in the bytes from {@code from} to before {@code until}. Of a compressed file these are bytes as
 * they lie on disk, and the piece is the whole file. Immutable.
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
