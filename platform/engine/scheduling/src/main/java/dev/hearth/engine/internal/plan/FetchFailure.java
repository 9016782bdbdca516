package dev.hearth.engine.internal.plan;

import dev.hearth.spi.id.ExecutorId;
import java.util.List;
import java.util.Optional;

/**
 * Output of a map task that a reading task could not get. {@code map} is -1 when none is named; {@code others} of the shuffle were
 * found missing with it. The executor may be unknown.
 */
public record FetchFailure(
        int shuffle, int map, List<Integer> others, Optional<ExecutorId> executor, String host, String reason) {
    public FetchFailure {
        others = List.copyOf(others);
    }

    /** Of one output alone. */
    public FetchFailure(int shuffle, int map, Optional<ExecutorId> executor, String host, String reason) {
        this(shuffle, map, List.of(), executor, host, reason);
    }
}
