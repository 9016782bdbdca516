package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import java.util.OptionalInt;

/**
 * How a submission fares. {@code placement} names where its driver runs; {@code message} is for people; {@code output}
 * and {@code errors} are the last part of what the driver wrote, once it has ended. Absent texts are empty.
 */
public record SubmissionStatus(
        SubmissionId submission,
        SubmissionState state,
        String placement,
        String message,
        OptionalInt exitStatus,
        String output,
        String errors) {}
