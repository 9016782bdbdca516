package dev.hearth.spi.process;

/**
 * Position in an output of a process, whose files roll over ({@link OutputFiles}). {@code file} counts the files from 1
 * on, in the order of their start; {@code offset} is a number of bytes in that file. A position keeps its meaning when
 * files roll over. Immutable.
 */
public record OutputPosition(long file, long offset) {
    /** Position of the oldest byte that is still there. */
    public static final OutputPosition START = new OutputPosition(0, 0);

    /** Position after the newest byte. */
    public static final OutputPosition END = new OutputPosition(Long.MAX_VALUE, Long.MAX_VALUE);

    public OutputPosition {
        if (file < 0 || offset < 0) {
            throw new IllegalArgumentException(
                    "position in an output: file " + file + ", offset " + offset + " (expected: neither below 0)");
        }
    }
}
