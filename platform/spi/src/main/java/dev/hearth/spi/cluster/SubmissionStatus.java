package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Status of a submission, that is, of an application submitted in cluster mode. {@code placement} names the host of its
 * driver; {@code message} is for display. {@code output} and {@code errors} are the last parts of the driver's standard
 * output and error, available after the driver has ended. Missing texts are empty. {@code links} maps the names of pages,
 * such as a tracking page or logs, to their URLs. {@code attempt} counts the driver's starts, from 1; {@code times} are
 * those of the latest start. {@code worker} and {@code workerAddress} are the id and the {@code host:port} of the process
 * that started the driver, for clusters that have such processes.
 */
public record SubmissionStatus(
        SubmissionId submission,
        SubmissionState state,
        String placement,
        String message,
        OptionalInt exitStatus,
        String output,
        String errors,
        Map<String, String> links,
        int attempt,
        SubmissionTimes times,
        String worker,
        String workerAddress) {
    public SubmissionStatus {
        links = Collections.unmodifiableMap(new LinkedHashMap<>(links));
        if (attempt < 1) {
            throw new IllegalArgumentException("attempt of " + submission + ": " + attempt + " (expected: 1 or more)");
        }
    }

    /** Creates the status of a driver on a cluster without workers. */
    public SubmissionStatus(
            SubmissionId submission,
            SubmissionState state,
            String placement,
            String message,
            OptionalInt exitStatus,
            String output,
            String errors,
            Map<String, String> links,
            int attempt,
            SubmissionTimes times) {
        this(submission, state, placement, message, exitStatus, output, errors, links, attempt, times, "", "");
    }

    /** Creates the status of a driver on a cluster that records no times. */
    public SubmissionStatus(
            SubmissionId submission,
            SubmissionState state,
            String placement,
            String message,
            OptionalInt exitStatus,
            String output,
            String errors,
            Map<String, String> links,
            int attempt) {
        this(submission, state, placement, message, exitStatus, output, errors, links, attempt, SubmissionTimes.NONE);
    }

    /** Creates the status of a driver in its first attempt, without links and times. */
    public SubmissionStatus(
            SubmissionId submission,
            SubmissionState state,
            String placement,
            String message,
            OptionalInt exitStatus,
            String output,
            String errors) {
        this(submission, state, placement, message, exitStatus, output, errors, Map.of(), 1);
    }
}
