package dev.hearth.engine.internal.shuffle;

import dev.hearth.spi.id.ExecutorId;
import java.util.List;
import java.util.Optional;

/**
 * Output of a shuffle that a task wanted to read is not there. {@code map} is -1 when none of it is; {@code others} of the shuffle
 * were found missing as well.
 */
public final class FetchFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int shuffle;
    private final int map;

    @SuppressWarnings("serial") // of the JDK's own lists
    private final List<Integer> others;

    private final String executor;
    private final String host;

    /** Whoever should have it is there. */
    public FetchFailedException(int shuffle, int map, List<Integer> others, String message) {
        this(shuffle, map, others, "", "", message);
    }

    /** {@code executor} on {@code host} should have it, and does not answer. */
    public FetchFailedException(
            int shuffle, int map, List<Integer> others, String executor, String host, String message) {
        super(message);
        this.shuffle = shuffle;
        this.map = map;
        this.others = List.copyOf(others);
        this.executor = executor;
        this.host = host;
    }

    /** Who cannot be reached, if it is that; nothing that it had can be read then. */
    public Optional<ExecutorId> executor() {
        return executor.isEmpty() ? Optional.empty() : Optional.of(new ExecutorId(executor));
    }

    public String host() {
        return host;
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
