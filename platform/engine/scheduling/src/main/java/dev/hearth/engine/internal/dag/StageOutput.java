package dev.hearth.engine.internal.dag;

/** The output of a stage so far: map outputs of a shuffle, or results of a job. */
sealed interface StageOutput permits ShuffleStatus, JobResults {
    boolean isComplete();

    /** The partitions of the stage whose output is missing, in ascending order and without repetition. */
    int[] missing();
}
