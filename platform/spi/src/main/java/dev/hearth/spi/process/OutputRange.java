package dev.hearth.spi.process;

/**
 * Part of an output to read: at most {@code bytesMax} bytes that follow {@code position}, or precede it if {@code
 * backwards}. Immutable.
 */
public record OutputRange(OutputName output, OutputPosition position, boolean backwards, int bytesMax) {
    /** Maximum number of bytes that one answer carries. */
    public static final int BYTES_MOST = 256 * 1024;

    /** Number of bytes to read at most: the wanted one, within 1 and {@link #BYTES_MOST}. */
    public int length() {
        return Math.max(1, Math.min(bytesMax, BYTES_MOST));
    }

    /** Part that follows {@code position}, as long as an answer can be. */
    public static OutputRange from(OutputName output, OutputPosition position) {
        return new OutputRange(output, position, false, BYTES_MOST);
    }

    /** Part that precedes {@code position}, as long as an answer can be. */
    public static OutputRange before(OutputName output, OutputPosition position) {
        return new OutputRange(output, position, true, BYTES_MOST);
    }
}
