package dev.hearth.spi.cluster;

/** Outcome of an application as its context reports it at the end. */
public enum ApplicationResult {
    FINISHED,
    FAILED
}
