package dev.hearth.engine.internal.scheduler;

/** Order of task sets within a pool, and order of pools. */
public enum SchedulingMode {
    /** Orders task sets by job, then by stage. */
    FIFO,
    /** Puts the pool or task set that is farthest below its fair share first. */
    FAIR
}
