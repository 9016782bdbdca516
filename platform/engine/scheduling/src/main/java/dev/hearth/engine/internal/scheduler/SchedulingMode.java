package dev.hearth.engine.internal.scheduler;

/** How those who queue together are ranked. */
public enum SchedulingMode {
    /** By job, then by stage. */
    FIFO,
    /** By how far each is below its share. */
    FAIR
}
