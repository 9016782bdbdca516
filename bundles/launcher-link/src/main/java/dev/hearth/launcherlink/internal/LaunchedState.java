package dev.hearth.launcherlink.internal;

import dev.hearth.spi.cluster.SubmissionState;
import java.util.Optional;

/** State of the application as the launching program knows it. The names are part of both protocols. */
enum LaunchedState {
    SUBMITTED,
    RUNNING,
    FINISHED,
    FAILED,
    KILLED;

    boolean isFinal() {
        return this == FINISHED || this == FAILED || this == KILLED;
    }

    /** The state for a submission's; empty if the program does not learn of it. */
    static Optional<LaunchedState> of(SubmissionState state) {
        return switch (state) {
            case SUBMITTED, RELAUNCHING -> Optional.of(SUBMITTED);
            case RUNNING -> Optional.of(RUNNING);
            case FINISHED -> Optional.of(FINISHED);
            case FAILED, ERROR -> Optional.of(FAILED);
            case KILLED -> Optional.of(KILLED);
            case UNKNOWN -> Optional.empty();
        };
    }
}
