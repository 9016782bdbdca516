package dev.hearth.engine.internal.shuffle;

import dev.hearth.spi.id.ExecutorId;
import java.util.List;
import java.util.Optional;

/**
 * Fetch failure: a task found map output of a shuffle missing, corrupt or unreachable. {@code map} is the map task of
 * that output, or -1 if no output of the shuffle is known. {@code others} are further map tasks whose output is missing
 * or corrupt.
 */
public final class FetchFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int shuffle;
    private final int map;

    @SuppressWarnings("serial") // an immutable list of the JDK, which is serialisable
    private final List<Integer> others;

    private final String executor;
    private final String host;

    /**
     * Creates a fetch failure for a map output that is missing or corrupt on a reachable executor. {@code others} are
     * further map tasks whose output is lost.
     */
    public FetchFailedException(int shuffle, int map, List<Integer> others, String message) {
        this(shuffle, map, others, "", "", message);
    }

    /**
     * Creates a fetch failure for a map output whose executor {@code executor}, on machine {@code host}, is
     * unreachable.
     */
    public FetchFailedException(
            int shuffle, int map, List<Integer> others, String executor, String host, String message) {
        super(message);
        this.shuffle = shuffle;
        this.map = map;
        this.others = List.copyOf(others);
        this.executor = executor;
        this.host = host;
    }

    /**
     * Returns the executor that was unreachable, if that is the cause of the failure. None of that executor's map
     * outputs can then be read. Otherwise empty.
     */
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
