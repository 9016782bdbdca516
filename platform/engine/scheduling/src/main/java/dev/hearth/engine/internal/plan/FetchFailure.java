package dev.hearth.engine.internal.plan;

import dev.hearth.spi.id.ExecutorId;
import java.util.List;
import java.util.Optional;

/**
 * Map output that a reduce task could not fetch. {@code map} is the map task that wrote the output, or -1 if unknown.
 * {@code others} are further map tasks of the same shuffle whose outputs were missing too. The executor that had the
 * output may be unknown. Immutable.
 */
public record FetchFailure(
        int shuffle, int map, List<Integer> others, Optional<ExecutorId> executor, String host, String reason) {
    public FetchFailure {
        others = List.copyOf(others);
    }

    /** Creates a failure to fetch the output of a single map task. */
    public FetchFailure(int shuffle, int map, Optional<ExecutorId> executor, String host, String reason) {
        this(shuffle, map, List.of(), executor, host, reason);
    }
}
