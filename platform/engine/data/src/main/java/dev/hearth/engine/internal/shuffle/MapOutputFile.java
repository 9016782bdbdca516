package dev.hearth.engine.internal.shuffle;

import java.util.Optional;

/**
 * Map output as a whole file: one of {@code maps} map tasks, {@code records} by reducer, no file if it is
 * empty. {@code run} is that of {@link ShuffleStore#publish(MapOutput, int)}.
 */
@SuppressWarnings("ArrayRecordComponent") // the array never changes
public record MapOutputFile(Optional<String> file, int maps, int run, int[] records) {}
