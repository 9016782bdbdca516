package dev.hearth.engine.internal.dataset;

/** A fact about the data that planning a job needs, found once by jobs of its own. Any thread may call. */
interface Preparation {
    boolean isPrepared();

    /** Runs the jobs, unless they have run. Everything in the lineage that they read must be prepared. */
    void prepare(DatasetContext runner, CallSite site);
}
