package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import java.util.OptionalInt;

/**
 * Status of a submitted driver. {@code worker} and {@code workerAddress} are empty until the driver is placed, and the
 * texts are empty as long as they are unknown.
 */
public record DriverStatus(
        SubmissionId submission,
        DriverState state,
        String worker,
        String workerAddress,
        String message,
        OptionalInt exitStatus,
        String output,
        String errors) {

    /**
     * States of a driver in messages. Constants are only added at the end; a receiver reads an unknown constant as
     * UNKNOWN.
     */
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

    /** Returns this status without the driver's output and errors, for answers about many drivers. */
    public DriverStatus withoutOutput() {
        return new DriverStatus(submission, state, worker, workerAddress, message, exitStatus, "", "");
    }

    /** Converts this status to the form that shells and other user interfaces display. */
    public SubmissionStatus shown() {
        String placement = worker.isEmpty() ? "" : "worker " + worker + " at " + workerAddress;
        return new SubmissionStatus(submission, state.shown(), placement, message, exitStatus, output, errors);
    }
}
