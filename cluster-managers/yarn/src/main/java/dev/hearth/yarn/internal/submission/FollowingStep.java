package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.cluster.SubmissionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Step of a submitter after a report: it prints {@code lines}, reports {@code status}, if it has changed, and asks again
 * after {@code next}. Without a next question, the following is over; then {@code lost} says why if the end is not known.
 * Immutable.
 */
record FollowingStep(
        List<String> lines, Optional<SubmissionStatus> status, Optional<Duration> next, Optional<String> lost) {
    FollowingStep {
        lines = List.copyOf(lines);
    }
}
