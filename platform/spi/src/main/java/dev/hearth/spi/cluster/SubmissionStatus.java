package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import java.util.OptionalInt;

/**
 * Status of a submission, that is, of an application submitted in cluster mode. {@code placement} names the host of its
 * driver; {@code message} is for display. {@code output} and {@code errors} are the last parts of the driver's standard
 * output and error, available after the driver has ended. Missing texts are empty.
 */
public record SubmissionStatus(
        SubmissionId submission,
        SubmissionState state,
        String placement,
        String message,
        OptionalInt exitStatus,
        String output,
        String errors) {}
