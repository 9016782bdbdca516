package dev.hearth.engine.internal.scheduler;

/** Order of task sets within a pool, and of pools among each other. */
public enum SchedulingMode {
    /** By job, then by stage. */
    FIFO,
    /** The pool farthest below its fair share first. */
    FAIR
}
