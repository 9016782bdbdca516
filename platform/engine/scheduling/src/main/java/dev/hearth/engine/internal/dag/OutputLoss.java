package dev.hearth.engine.internal.dag;

/** The map outputs that are lost with an executor. */
public enum OutputLoss {
    /** None: another process stores and serves them. */
    NONE,
    OF_THE_EXECUTOR,
    OF_THE_HOST
}
