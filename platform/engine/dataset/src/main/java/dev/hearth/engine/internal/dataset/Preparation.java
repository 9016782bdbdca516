package dev.hearth.engine.internal.dataset;

/**
 * Step that precedes the planning of a job. Runs jobs of its own, once, to compute facts about the data on which the
 * plan depends, such as the key ranges of a sort. Thread-safe.
 */
interface Preparation {
    boolean isPrepared();

    /**
     * Runs the jobs of this preparation, unless they have run. These jobs read a part of the lineage, so the caller
     * must first run the preparations in that part.
     */
    void prepare(DatasetContext runner, CallSite site);
}
