package dev.hearth.spi.cluster;

import java.util.EnumSet;
import java.util.Set;

/** What a submission can be; the names are those that programs of the field parse. */
public enum SubmissionState {
    SUBMITTED,
    RUNNING,
    FINISHED,
    RELAUNCHING,
    UNKNOWN,
    KILLED,
    FAILED,
    ERROR;

    /** Whether nothing follows any more. */
    public boolean isFinal() {
        return this == FINISHED || this == KILLED || this == FAILED || this == ERROR;
    }

    /** Whether {@code next} may follow; {@code UNKNOWN} may become anything, once its worker is heard of again. */
    public boolean leadsTo(SubmissionState next) {
        return successors().contains(next);
    }

    private Set<SubmissionState> successors() {
        return switch (this) {
            case SUBMITTED -> EnumSet.of(RUNNING, KILLED, FAILED, ERROR);
            case RUNNING -> EnumSet.of(FINISHED, RELAUNCHING, UNKNOWN, KILLED, FAILED, ERROR);
            case RELAUNCHING -> EnumSet.of(RUNNING, KILLED, FAILED, ERROR);
            case UNKNOWN -> EnumSet.of(RUNNING, FINISHED, RELAUNCHING, KILLED, FAILED, ERROR);
            case FINISHED, KILLED, FAILED, ERROR -> EnumSet.noneOf(SubmissionState.class);
        };
    }
}
