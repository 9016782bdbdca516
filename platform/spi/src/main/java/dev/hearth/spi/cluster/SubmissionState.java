package dev.hearth.spi.cluster;

import java.util.EnumSet;
import java.util.Set;

/** State of a submission. The names are those of Spark, which existing scripts parse. */
public enum SubmissionState {
    SUBMITTED,
    RUNNING,
    FINISHED,
    RELAUNCHING,
    UNKNOWN,
    KILLED,
    FAILED,
    ERROR;

    /** Whether the submission has ended, so that no other state can follow. */
    public boolean isFinal() {
        return this == FINISHED || this == KILLED || this == FAILED || this == ERROR;
    }

    /**
     * Whether {@code next} may follow this state. Any state may follow {@code UNKNOWN}, because the driver's worker may
     * reconnect and report the actual state. A driver may finish, or its cluster may become unreachable, before it was
     * seen running. A driver that is to start again may have to wait for a worker first.
     */
    public boolean leadsTo(SubmissionState next) {
        return successors().contains(next);
    }

    private Set<SubmissionState> successors() {
        return switch (this) {
            case SUBMITTED -> EnumSet.of(RUNNING, FINISHED, UNKNOWN, KILLED, FAILED, ERROR);
            case RUNNING -> EnumSet.of(FINISHED, RELAUNCHING, UNKNOWN, KILLED, FAILED, ERROR);
            case RELAUNCHING -> EnumSet.of(SUBMITTED, RUNNING, KILLED, FAILED, ERROR);
            case UNKNOWN -> EnumSet.of(RUNNING, FINISHED, RELAUNCHING, KILLED, FAILED, ERROR);
            case FINISHED, KILLED, FAILED, ERROR -> EnumSet.noneOf(SubmissionState.class);
        };
    }
}
