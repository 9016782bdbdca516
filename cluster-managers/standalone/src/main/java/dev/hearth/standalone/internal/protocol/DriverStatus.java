package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import java.util.OptionalInt;

/** How a driver fares, as the master knows it. Worker and texts are empty while there is nothing to say. */
public record DriverStatus(
        SubmissionId submission,
        DriverState state,
        String worker,
        String workerAddress,
        String message,
        OptionalInt exitStatus,
        String output,
        String errors) {

    /** The states as they travel; constants are only added at the end, an unknown one reads as UNKNOWN. */
    public enum DriverState {
        UNKNOWN(SubmissionState.UNKNOWN),
        SUBMITTED(SubmissionState.SUBMITTED),
        RUNNING(SubmissionState.RUNNING),
        FINISHED(SubmissionState.FINISHED),
        FAILED(SubmissionState.FAILED),
        KILLED(SubmissionState.KILLED),
        ERROR(SubmissionState.ERROR);

        private final SubmissionState shown;

        DriverState(SubmissionState shown) {
            this.shown = shown;
        }

        public SubmissionState shown() {
            return shown;
        }
    }

    /** The status as front ends show it. */
    public SubmissionStatus shown() {
        String placement = worker.isEmpty() ? "" : "worker " + worker + " at " + workerAddress;
        return new SubmissionStatus(submission, state.shown(), placement, message, exitStatus, output, errors);
    }
}
