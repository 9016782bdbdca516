package dev.hearth.spi.cluster;

/** Outcome of an application, which its context reports to the cluster at the end. */
public enum ApplicationResult {
    FINISHED,
    FAILED
}
