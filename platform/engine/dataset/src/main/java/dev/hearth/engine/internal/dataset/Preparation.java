package dev.hearth.engine.internal.dataset;

/** What has to be known of the data before a job over it can be planned; found by jobs of its own, once. Any thread may ask. */
interface Preparation {
    boolean isDecided();

    /** Finds it, unless that was done. What the jobs for it read must be decided. */
    void decide(DatasetContext runner, CallSite site);
}
