package dev.hearth.engine.internal.shuffle;

import java.util.Optional;

/**
 * Map output that is one whole file; {@code file} is absent if the output is empty. {@code maps} is the number of map
 * tasks of the shuffle, {@code records} the number of records by reducer, {@code run} the run of the stage as in
 * {@link ShuffleStore#publish(MapOutput, int)}.
 */
@SuppressWarnings("ArrayRecordComponent") // the array never changes
public record MapOutputFile(Optional<String> file, int maps, int run, int[] records) {}
