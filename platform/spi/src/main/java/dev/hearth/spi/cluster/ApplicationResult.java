package dev.hearth.spi.cluster;

/**
 * Outcome of an application, which its context reports to the cluster at the end. {@code KILLED} means that its process
 * was ordered to end, for example by Ctrl-C.
 */
public enum ApplicationResult {
    FINISHED,
    FAILED,
    KILLED
}
