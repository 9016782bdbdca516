package dev.hearth.engine.internal.shuffle;

/** Output of a shuffle that a task wanted to read is not there. {@code map} is -1 when none of it is. */
public final class MissingOutput extends Exception {
    private static final long serialVersionUID = 1L;

    private final int shuffle;
    private final int map;

    MissingOutput(int shuffle, int map, String message) {
        super(message);
        this.shuffle = shuffle;
        this.map = map;
    }

    public int shuffle() {
        return shuffle;
    }

    public int map() {
        return map;
    }
}
