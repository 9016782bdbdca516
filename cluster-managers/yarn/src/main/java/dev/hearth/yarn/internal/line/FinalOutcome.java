package dev.hearth.yarn.internal.line;

/** Final status of an application at the ResourceManager. */
public enum FinalOutcome {
    SUCCEEDED,
    FAILED,
    KILLED
}
