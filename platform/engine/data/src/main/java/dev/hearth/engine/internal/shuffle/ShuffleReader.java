package dev.hearth.engine.internal.shuffle;

/** Provides the tasks of this process with shuffle input. Any thread may call. */
public interface ShuffleReader {
    /** Returns the input of one reducer: the segments for it in the outputs of all map tasks of the shuffle. */
    ShuffleInput read(int shuffle, int reducer, ShuffleReadContext task) throws FetchFailedException;
}
