package dev.hearth.engine.internal.dataset;

/**
 * Information about the data that planning a job needs, such as the key ranges of a sort. Extra jobs compute it once.
 * Thread-safe.
 */
interface Preparation {
    boolean isPrepared();

    /**
     * Runs the jobs, unless they have run. Other preparations in the lineage that these jobs read must have been made.
     */
    void prepare(DatasetContext runner, CallSite site);
}
