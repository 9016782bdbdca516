package dev.hearth.spi.cluster;

/** How an application ended, as far as its context knows. */
public enum ApplicationResult {
    FINISHED,
    FAILED
}
