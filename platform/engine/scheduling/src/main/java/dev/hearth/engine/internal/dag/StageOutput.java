package dev.hearth.engine.internal.dag;

/** What a stage has made so far: outputs for readers, or results of its job. */
sealed interface StageOutput permits ShuffleStatus, JobResults {
    boolean isComplete();

    /** The partitions that are to be run still, each once, in order. */
    int[] missing();
}
