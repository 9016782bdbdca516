package dev.hearth.engine.internal.shuffle;

/** Where the tasks of this process read shuffles from. Any thread may call. */
public interface ShuffleInputs {
    /** What all map tasks have for one reader. */
    PairBlocks read(int shuffle, int reader, ReadingTask task) throws MissingOutput;
}
