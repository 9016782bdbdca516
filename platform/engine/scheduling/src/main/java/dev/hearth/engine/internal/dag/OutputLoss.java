package dev.hearth.engine.internal.dag;

import dev.hearth.spi.cluster.LostExecutor;

/** Selects the map outputs that are lost together with an executor. */
public enum OutputLoss {
    /** No map output is lost, because a process other than the executor stores and serves the outputs. */
    NONE,
    OF_THE_EXECUTOR,
    OF_THE_HOST;

    /** The map outputs that are lost if an executor, which has stored and served them, is lost for this cause. */
    public static OutputLoss of(LostExecutor.Cause cause) {
        return switch (cause) {
            case HOST_LOST -> OF_THE_HOST;
            case REFUSED, NEVER_CAME -> NONE;
            case FAILED, RELEASED, PREEMPTED, UNREACHABLE, SILENT, EXCLUDED, DECOMMISSIONED, OUT_OF_MEMORY ->
                OF_THE_EXECUTOR;
        };
    }
}
