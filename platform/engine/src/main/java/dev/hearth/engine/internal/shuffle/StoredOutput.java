package dev.hearth.engine.internal.shuffle;

/** The output of one of {@code maps} tasks as a whole file: {@code records} by reader. {@code run} as {@link ShuffleStore} has it. */
@SuppressWarnings("ArrayRecordComponent") // never changed by anybody
public record StoredOutput(String file, int maps, int run, int[] records) {}
