package dev.hearth.engine.internal.shuffle;

/** Source of shuffle input for the tasks of this process. Any thread may call. */
public interface ShuffleReader {
    /** The input of one reducer from all map tasks. */
    ShuffleInput read(int shuffle, int reducer, ShuffleReadContext task) throws FetchFailedException;
}
