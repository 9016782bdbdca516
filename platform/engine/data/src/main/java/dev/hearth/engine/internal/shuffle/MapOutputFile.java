package dev.hearth.engine.internal.shuffle;

import java.util.Optional;

/**
 * Map output that is stored as one whole file, so that another executor can copy it. {@code file} is absent if the
 * output is empty. {@code maps} is the number of map tasks of the shuffle, and {@code records} the number of records by
 * reducer. {@code run} is the number of the run: see {@link ShuffleStore#publish(MapOutput, int)}.
 */
@SuppressWarnings("ArrayRecordComponent") // the array never changes, so sharing it is safe
public record MapOutputFile(Optional<String> file, int maps, int run, int[] records) {}
