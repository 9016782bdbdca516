package dev.hearth.yarn.internal.logs;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.submission.StatusOfReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Entries of consoles from reports of the ResourceManager. Pure. */
final class ClusterEntries {
    private ClusterEntries() {}

    static DriverEntry driver(ClusterReport report) {
        SubmissionStatus status = status(report);
        return new DriverEntry(
                status.submission(),
                report.name(),
                status.state(),
                status.message(),
                "",
                status.placement(),
                "",
                OptionalInt.empty(),
                OptionalLong.empty(),
                time(report.startMillis()),
                time(report.launchMillis()),
                time(report.finishMillis()),
                status.exitStatus(),
                attributes(report));
    }

    static ApplicationEntry application(ClusterReport report) {
        SubmissionStatus status = status(report);
        return new ApplicationEntry(
                new ApplicationId(report.application()),
                report.name(),
                report.user(),
                state(status.state()),
                status.message(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                time(report.startMillis()),
                time(report.finishMillis()),
                OptionalLong.empty(),
                "",
                Optional.of(status.submission()),
                attributes(report));
    }

    private static SubmissionStatus status(ClusterReport report) {
        return StatusOfReport.of(new SubmissionId(report.application()), report, Map.of());
    }

    private static ApplicationEntry.State state(SubmissionState state) {
        return switch (state) {
            case SUBMITTED, RELAUNCHING -> ApplicationEntry.State.WAITING;
            case RUNNING -> ApplicationEntry.State.RUNNING;
            case FINISHED -> ApplicationEntry.State.FINISHED;
            case FAILED, ERROR -> ApplicationEntry.State.FAILED;
            case KILLED -> ApplicationEntry.State.KILLED;
            case UNKNOWN -> ApplicationEntry.State.UNKNOWN;
        };
    }

    private static Map<String, String> attributes(ClusterReport report) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("queue", report.queue());
        attributes.put("attempt", String.valueOf(report.attempt()));
        attributes.put("trackingUrl", report.trackingUrl());
        return attributes;
    }

    private static OptionalLong time(long millis) {
        return millis > 0 ? OptionalLong.of(millis) : OptionalLong.empty();
    }
}
