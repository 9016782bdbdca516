package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.ClusterReport.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Statuses of submissions from reports of the ResourceManager. Pure. */
public final class StatusOfReport {
    private static final String TRACKING = "tracking URL";

    private StatusOfReport() {}

    /** The status in {@code report}; {@code logs} are the addresses of the driver's logs by their names. */
    public static SubmissionStatus of(SubmissionId submission, ClusterReport report, Map<String, String> logs) {
        SubmissionState state = state(report);
        DriverWords words = DriverWords.of(report.diagnostics());
        boolean failed = state == SubmissionState.FAILED || state == SubmissionState.ERROR;
        OptionalInt status = state == SubmissionState.FINISHED
                ? OptionalInt.of(0)
                : failed ? words.exitStatus() : OptionalInt.empty();
        Map<String, String> links = new LinkedHashMap<>();
        if (!report.trackingUrl().isEmpty() && !report.trackingUrl().equals("N/A")) {
            links.put(TRACKING, report.trackingUrl());
        }
        links.putAll(logs);
        return new SubmissionStatus(
                submission,
                state,
                report.host().equals("N/A") ? "" : report.host(),
                LineGuard.guarded(state == SubmissionState.FINISHED ? "" : words.reason(), submission.value()),
                status.isPresent() && status.getAsInt() < 0 ? OptionalInt.empty() : status,
                "",
                failed ? LineGuard.guarded(words.errors(), submission.value()) : "",
                links,
                report.attempt(),
                new SubmissionTimes(
                        time(report.startMillis()), time(report.launchMillis()), time(report.finishMillis())));
    }

    static SubmissionStatus killed(SubmissionId submission, String reason) {
        return new SubmissionStatus(submission, SubmissionState.KILLED, "", reason, OptionalInt.empty(), "", "");
    }

    private static SubmissionState state(ClusterReport report) {
        return switch (report.state()) {
            case NEW, NEW_SAVING, SUBMITTED, ACCEPTED ->
                report.attempt() > 1 ? SubmissionState.RELAUNCHING : SubmissionState.SUBMITTED;
            case RUNNING -> SubmissionState.RUNNING;
            case FAILED -> SubmissionState.FAILED;
            case KILLED -> SubmissionState.KILLED;
            case FINISHED -> ofOutcome(report.outcome());
        };
    }

    private static SubmissionState ofOutcome(Outcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> SubmissionState.FINISHED;
            case FAILED -> SubmissionState.FAILED;
            case KILLED -> SubmissionState.KILLED;
            case UNDEFINED, ENDED -> SubmissionState.ERROR;
        };
    }

    private static OptionalLong time(long millis) {
        return millis > 0 ? OptionalLong.of(millis) : OptionalLong.empty();
    }
}
