package dev.hearth.spi.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Times at which a submission was accepted, its driver was started, and its driver ended, in milliseconds since 1970 by
 * the clock of the cluster. A time is empty if it has not come yet or the cluster does not record it.
 */
public record SubmissionTimes(OptionalLong submittedMillis, OptionalLong startedMillis, OptionalLong endedMillis) {
    /** Times of a cluster that records none. */
    public static final SubmissionTimes NONE =
            new SubmissionTimes(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** Time from the start of the driver to its end; empty unless both are known. Never negative. */
    public Optional<Duration> took() {
        return startedMillis.isEmpty() || endedMillis.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(Math.max(0, endedMillis.getAsLong() - startedMillis.getAsLong())));
    }
}
