package dev.hearth.engine.internal.shuffle;

import java.util.List;

/**
 * Output of a shuffle that a task wanted to read is not there. {@code map} is -1 when none of it is; {@code others} of the shuffle
 * were found missing as well.
 */
public final class MissingOutput extends Exception {
    private static final long serialVersionUID = 1L;

    private final int shuffle;
    private final int map;

    @SuppressWarnings("serial") // of the JDK's own lists
    private final List<Integer> others;

    MissingOutput(int shuffle, int map, List<Integer> others, String message) {
        super(message);
        this.shuffle = shuffle;
        this.map = map;
        this.others = List.copyOf(others);
    }

    public int shuffle() {
        return shuffle;
    }

    public int map() {
        return map;
    }

    public List<Integer> others() {
        return others;
    }
}
