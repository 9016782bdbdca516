package dev.hearth.engine.internal.dataset;

/**
 * Step before the planning of a job. It runs jobs of its own, once, to compute information about the data that the plan
 * needs, such as the key ranges of a sort. Thread-safe.
 */
interface Preparation {
    boolean isPrepared();

    /**
     * Runs the jobs of this preparation, unless they have run. The caller must first make the other preparations in the
     * lineage that these jobs read.
     */
    void prepare(DatasetContext runner, CallSite site);
}
