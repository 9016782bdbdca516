package dev.hearth.engine.internal.shuffle;

import java.util.Optional;

/**
 * The output of one of {@code maps} tasks as a whole file, none when it is empty: {@code records} by reader. {@code run} as {@link
 * ShuffleStore} has it.
 */
@SuppressWarnings("ArrayRecordComponent") // never changed by anybody
public record MapOutputFile(Optional<String> file, int maps, int run, int[] records) {}
