package dev.hearth.engine.internal.shuffle;

/** Where the tasks of this process read shuffles from. Any thread may call. */
public interface ShuffleReader {
    /** What all map tasks have for one reader. */
    ShuffleInput read(int shuffle, int reader, ShuffleReadContext task) throws FetchFailedException;
}
