package dev.hearth.engine.internal.scheduler;

/** Order of task sets within a pool, and order of pools. */
public enum SchedulingMode {
    /** Orders task sets by job, then by stage. */
    FIFO,
    /** Orders pools or task sets by their share of the cores: that farthest below its fair share gets cores first. */
    FAIR
}
