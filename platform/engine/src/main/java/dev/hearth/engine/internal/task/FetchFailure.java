package dev.hearth.engine.internal.task;

import dev.hearth.spi.id.ExecutorId;
import java.util.Optional;

/** Output of a map task that a reading task could not get. {@code map} is -1 when none is named; the executor may be unknown. */
public record FetchFailure(int shuffle, int map, Optional<ExecutorId> executor, String host, String reason) {}
