package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.ClusterReport.Outcome;
import dev.hearth.yarn.internal.cluster.ClusterReport.State;
import dev.hearth.yarn.internal.settings.ReportSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Following of one application by reports of its ResourceManager. A state machine: time arrives as an argument, nothing
 * blocks; {@link FollowingShell} owns it. The lines are those of Spark's client, byte for byte.
 */
final class ApplicationFollowing {
    /** Time until the second report; it doubles up to the interval that is set. */
    private static final Duration FIRST = Duration.ofMillis(100);
    /** Time in ACCEPTED after which the ResourceManager's reason is printed. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int ERROR_LINES_MAX = 400;

    private final String application;
    private final ReportSettings settings;
    private Optional<State> state = Optional.empty();
    private Duration pause = FIRST;
    private int silent;
    private long acceptedNanos;
    private String hindrance = "";
    private int attempt = 1;

    ApplicationFollowing(String application, ReportSettings settings) {
        this.application = application;
        this.settings = settings;
    }

    /** The application is reported; {@code logs} are the addresses of its driver's logs. */
    FollowingStep reported(ClusterReport report, Map<String, String> logs, long nowNanos) {
        List<String> lines = new ArrayList<>();
        boolean changed = state.isEmpty() || state.get() != report.state();
        silent++;
        if (changed || silent >= settings.loggingFrequency()) {
            lines.add("Application report for " + application + " (state: " + report.state() + ")");
            silent = 0;
        }
        if (changed) {
            if (report.state() == State.ACCEPTED) {
                acceptedNanos = nowNanos;
            }
            lines.addAll(block(report, logs));
        }
        wait(report, nowNanos).ifPresent(lines::add);
        boolean again = report.attempt() > attempt;
        attempt = report.attempt();
        state = Optional.of(report.state());
        Optional<SubmissionStatus> status = changed || again
                ? Optional.of(StatusOfReport.of(new SubmissionId(application), report, logs))
                : Optional.empty();
        if (report.state().isFinal()) {
            lines.addAll(end(report));
            return step(lines, status, Optional.empty());
        }
        Duration next = pause;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(settings.interval()) < 0 ? doubled : settings.interval();
        return step(lines, status, Optional.of(next.compareTo(settings.interval()) < 0 ? next : settings.interval()));
    }

    /** The ResourceManager does not know the application, which counts as killed, as in Spark. */
    FollowingStep unknown() {
        return step(
                List.of("Application " + application + " not found."),
                Optional.of(StatusOfReport.killed(new SubmissionId(application), "the cluster does not know it")),
                Optional.empty());
    }

    /** The ResourceManager has not answered within the time that Hadoop's configuration allows. */
    FollowingStep failed(String why) {
        String line = "Failed to contact YARN for application " + application + ".";
        return new FollowingStep(
                List.of(LineGuard.guarded(line, application)),
                Optional.empty(),
                Optional.empty(),
                Optional.of(LineGuard.guarded(
                        "the ResourceManager does not answer: " + why + "; the outcome of " + application
                                + " is not known; ask for its state with submit --status",
                        application)));
    }

    /** The nine lines of a report, and those with the driver's logs. */
    static List<String> block(ClusterReport report, Map<String, String> logs) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("client token", report.clientToken());
        details.put("diagnostics", report.diagnostics());
        details.put("ApplicationMaster host", report.host());
        details.put("ApplicationMaster RPC port", String.valueOf(report.port()));
        details.put("queue", report.queue());
        details.put("start time", String.valueOf(report.startMillis()));
        details.put("final status", report.outcome().name());
        details.put("tracking URL", report.trackingUrl());
        details.put("user", report.user());
        logs.forEach((name, address) -> details.put("Driver Logs (" + name + ")", address));
        List<String> lines = new ArrayList<>();
        details.forEach((name, value) -> lines.addAll(("\t " + name + ": " + (value.isEmpty() ? "N/A" : value))
                .lines()
                .toList()));
        return lines;
    }

    /** Why an accepted application does not start, once it has waited for long or the reason has changed. */
    private Optional<String> wait(ClusterReport report, long nowNanos) {
        if (report.state() != State.ACCEPTED || nowNanos - acceptedNanos < PATIENCE.toNanos()) {
            return Optional.empty();
        }
        String reason = report.diagnostics().replaceAll("\\s+", " ").strip();
        String shown = reason.isEmpty() ? "no reason from the ResourceManager" : reason;
        if (withoutTimes(shown).equals(hindrance)) {
            return Optional.empty();
        }
        hindrance = withoutTimes(shown);
        return Optional.of("Application " + application + " waits in queue " + report.queue() + ": " + shown);
    }

    /** The reason without the time at its front, by which it would differ each time. */
    private static String withoutTimes(String reason) {
        return reason.replaceAll("^\\[[^\\]]*]\\s*", "").replaceAll("\\d{1,2}:\\d{2}:\\d{2}", "");
    }

    private List<String> end(ClusterReport report) {
        List<String> lines = new ArrayList<>();
        if (report.state() == State.FAILED || report.outcome() == Outcome.FAILED) {
            DriverWords words = DriverWords.of(report.diagnostics());
            if (!words.errors().isEmpty()) {
                List<String> errors = words.errors().lines().toList();
                lines.add("last errors of the driver:");
                lines.addAll(errors.subList(Math.max(0, errors.size() - ERROR_LINES_MAX), errors.size()));
            }
            lines.add("Application " + application + " finished with failed status");
        } else if (report.state() == State.KILLED || report.outcome() == Outcome.KILLED) {
            lines.add("Application " + application + " is killed");
        } else if (report.outcome() == Outcome.UNDEFINED) {
            lines.add("The final status of application " + application + " is undefined");
        } else {
            lines.add("Application " + application + " finished with status: " + report.outcome());
        }
        return lines;
    }

    private FollowingStep step(List<String> lines, Optional<SubmissionStatus> status, Optional<Duration> next) {
        return new FollowingStep(
                lines.stream().map(line -> LineGuard.guarded(line, application)).toList(),
                status,
                next,
                Optional.empty());
    }
}
