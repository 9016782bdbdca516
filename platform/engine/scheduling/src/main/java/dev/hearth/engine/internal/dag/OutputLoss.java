package dev.hearth.engine.internal.dag;

/** Which map outputs go with an executor that is lost. */
public enum OutputLoss {
    /** Somebody else keeps and serves them. */
    NONE,
    OF_THE_EXECUTOR,
    OF_THE_HOST
}
