package dev.hearth.shell.gogo.answer;

/** What text is laid out for: how many characters a line may hold, and whether colours may be used. */
public record Page(int width, boolean colours) {
    public static final int WIDTH_DEFAULT = 80;
    private static final int WIDTH_MIN = 20;
    private static final int WIDTH_MAX = 10_000;

    /** The nearest page that can be laid out. */
    public static Page of(int width, boolean colours) {
        return new Page(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, width)), colours);
    }
}
