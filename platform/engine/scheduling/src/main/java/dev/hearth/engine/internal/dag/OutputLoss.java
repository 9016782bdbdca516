package dev.hearth.engine.internal.dag;

/** Selects the map outputs that are lost together with an executor. */
public enum OutputLoss {
    /** No map output is lost, because a process other than the executor stores and serves the outputs. */
    NONE,
    OF_THE_EXECUTOR,
    OF_THE_HOST
}
