package dev.hearth.engine.internal.dag;

/** The output of a stage so far: map outputs of a shuffle, or results of a job. */
sealed interface StageOutput permits ShuffleStatus, JobResults {
    boolean isComplete();

    /** The partitions without output, in order and without repetition. */
    int[] missing();
}
