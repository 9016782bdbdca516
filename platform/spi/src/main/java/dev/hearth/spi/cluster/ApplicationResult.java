package dev.hearth.spi.cluster;

/** Outcome of an application as reported by its context. */
public enum ApplicationResult {
    FINISHED,
    FAILED
}
