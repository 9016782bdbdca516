package dev.hearth.spi.error;

/** Who can mend a failure: the user, whoever runs the machines, we, or whoever runs what we depend on. */
public enum ErrorCategory {
    USER,
    RESOURCES,
    INTERNAL,
    EXTERNAL
}
