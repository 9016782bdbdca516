package dev.hearth.spi.error;

/**
 * Party that can fix a failure: the user, the operator of the machines, the developers of Hearth, or the operator of a
 * system that Hearth depends on.
 */
public enum ErrorCategory {
    USER,
    RESOURCES,
    INTERNAL,
    EXTERNAL
}
