package dev.hearth.shell.gogo.answer;

/** Layout of text output: the number of characters per line, and whether colours may be used. Immutable. */
public record PageFormat(int width, boolean colours) {
    public static final int WIDTH_DEFAULT = 80;
    private static final int WIDTH_MIN = 20;
    /** Width of output that is not wrapped, because it goes to a pipe or file. */
    public static final int WIDTH_UNLIMITED = 1_000_000;

    /** Returns a layout with {@code width} characters per line, or with the nearest supported number. */
    public static PageFormat of(int width, boolean colours) {
        return new PageFormat(Math.max(WIDTH_MIN, Math.min(WIDTH_UNLIMITED, width)), colours);
    }
}
