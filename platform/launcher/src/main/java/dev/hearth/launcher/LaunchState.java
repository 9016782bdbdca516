package dev.hearth.launcher;

import java.util.EnumSet;
import java.util.Set;

/** State of a launched application. The names are those of Spark's launcher. */
public enum LaunchState {
    /** The process of the application has not connected yet. */
    UNKNOWN,
    /** The process has connected to this program. */
    CONNECTED,
    /** The application was handed to its cluster. */
    SUBMITTED,
    RUNNING,
    /** The application has ended with success. */
    FINISHED,
    FAILED,
    KILLED,
    /** The application is not followed any more, so its further states are unknown. */
    LOST;

    /** Whether the application has ended or is not followed any more. */
    public boolean isFinal() {
        return this == FINISHED || this == FAILED || this == KILLED || this == LOST;
    }

    /**
     * Whether {@code next} may follow this state. A finished application may still fail, because its process can end
     * with a failing exit status.
     */
    public boolean leadsTo(LaunchState next) {
        return successors().contains(next);
    }

    private Set<LaunchState> successors() {
        return switch (this) {
            case UNKNOWN -> EnumSet.of(CONNECTED, FAILED, KILLED, LOST);
            case CONNECTED -> EnumSet.of(SUBMITTED, RUNNING, FINISHED, FAILED, KILLED, LOST);
            case SUBMITTED -> EnumSet.of(RUNNING, FINISHED, FAILED, KILLED, LOST);
            // a supervised driver is submitted again
            case RUNNING -> EnumSet.of(SUBMITTED, FINISHED, FAILED, KILLED, LOST);
            case FINISHED -> EnumSet.of(FAILED);
            case FAILED, KILLED, LOST -> EnumSet.noneOf(LaunchState.class);
        };
    }
}
