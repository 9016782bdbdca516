package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.id.SubmissionId;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Status of a submitted driver. {@code worker} and {@code workerAddress} are empty until the driver is placed, and the
 * texts are empty as long as they are unknown. {@code attempt} counts the starts of the driver; it is 0 before the first
 * one, and in messages of older masters. {@code links} are the addresses of the driver's output files by name. The
 * times are in milliseconds since 1970 by the master's clock; they are empty until known and in messages of older masters.
 */
public record DriverStatus(
        SubmissionId submission,
        DriverState state,
        String worker,
        String workerAddress,
        String message,
        OptionalInt exitStatus,
        String output,
        String errors,
        int attempt,
        Map<String, String> links,
        OptionalLong submittedMillis,
        OptionalLong startedMillis,
        OptionalLong endedMillis) {

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
        ERROR(SubmissionState.ERROR),
        RELAUNCHING(SubmissionState.RELAUNCHING);

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
        return new DriverStatus(
                submission,
                state,
                worker,
                workerAddress,
                message,
                exitStatus,
                "",
                "",
                attempt,
                links,
                submittedMillis,
                startedMillis,
                endedMillis);
    }

    /** Converts this status to the form that shells and other user interfaces display. */
    public SubmissionStatus shown() {
        String placement = worker.isEmpty() ? "" : "worker " + worker + " at " + workerAddress;
        return new SubmissionStatus(
                submission,
                state.shown(),
                placement,
                message,
                exitStatus,
                output,
                errors,
                links,
                Math.max(1, attempt),
                new SubmissionTimes(submittedMillis, startedMillis, endedMillis),
                worker,
                workerAddress);
    }
}
