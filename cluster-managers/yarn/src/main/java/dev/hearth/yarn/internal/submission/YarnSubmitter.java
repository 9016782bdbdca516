package dev.hearth.yarn.internal.submission;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.ReportSettings;
import dev.hearth.yarn.internal.site.HadoopSite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** Submits applications in cluster mode, and answers questions about them. Immutable. */
public final class YarnSubmitter {
    private static final String APPLICATION = "application_\\d+_\\d+";

    private final SubmissionTools tools;
    private final LongSupplier clock;

    /** {@code clock} supplies the time of day in milliseconds since 1970. */
    public YarnSubmitter(SubmissionTools tools, LongSupplier clock) {
        this.tools = tools;
        this.clock = clock;
    }

    /** Opener of sessions with clusters. */
    public SubmissionTools.Sessions sessions() {
        return tools.sessions();
    }

    /**
     * Submits {@code plan}. {@code random} is a text of this request alone, or the same as before for a retry of an earlier
     * request; {@code secret} is for the processes of the application. Call it on the loop, on which the result completes.
     */
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan,
            MasterUrl master,
            SubmissionServices services,
            SubmissionListener listener,
            String random,
            String secret) {
        listener.ownProgress();
        SettingsReader in = new SettingsReader(plan.settings());
        ReportSettings settings = ReportSettings.read(in);
        in.finish();
        ClusterWork work = new ClusterWork(
                plan,
                services,
                tools,
                HadoopSite.of(master, plan.settings(), services.environment()),
                new ClusterWork.Identity("hearth-" + random, secret),
                line -> services.loop().execute(() -> listener.said(line)),
                clock);
        YarnSubmissionShell shell = new YarnSubmissionShell(
                services.loop(),
                tools.sessions().under(services.blocking()),
                work,
                listener,
                settings,
                !plan.requestId().isEmpty());
        services.stopped().thenRun(shell::stop);
        return shell.begin();
    }

    /** The statuses of the applications that match {@code pattern}. */
    public CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services, Settings settings) {
        return ask(master, services, settings, session -> {
            List<SubmissionStatus> statuses = new ArrayList<>();
            for (ClusterReport report : reports(pattern, session, settings)) {
                boolean runs = report.state() == ClusterReport.State.RUNNING;
                Map<String, String> logs = runs ? session.cluster().driverLogs(report) : Map.of();
                statuses.add(StatusOfReport.of(new SubmissionId(report.application()), report, logs));
            }
            return statuses;
        });
    }

    /** Ends the applications that match {@code pattern}, and returns their statuses before that. */
    public CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services, Settings settings) {
        return ask(master, services, settings, session -> {
            List<SubmissionStatus> statuses = new ArrayList<>();
            for (ClusterReport report : reports(pattern, session, settings)) {
                statuses.add(StatusOfReport.of(new SubmissionId(report.application()), report, Map.of()));
                if (!report.state().isFinal()) {
                    session.cluster().kill(report.application(), "killed by " + session.user() + " with submit --kill");
                }
            }
            return statuses;
        });
    }

    private static List<ClusterReport> reports(SubmissionPattern pattern, YarnSession session, Settings settings)
            throws IOException {
        Optional<SubmissionId> single = pattern.single();
        if (single.isPresent()) {
            if (!single.get().value().matches(APPLICATION)) {
                throw ErrorCode.SUBMISSION_UNKNOWN.failure(
                        "submission '" + single.get() + "': no id of YARN (expected: one that bin/submit has printed)");
            }
            return List.of(session.cluster()
                    .report(single.get().value())
                    .orElseThrow(() -> ErrorCode.SUBMISSION_UNKNOWN.failure("submission '" + single.get()
                            + "': the ResourceManager does not know it (expected: one that it has not forgotten)")));
        }
        String type = new SettingsReader(settings).read(QueueSettings.TYPE);
        return session.cluster().ofType(type).stream()
                .filter(report -> pattern.matches(new SubmissionId(report.application())))
                .toList();
    }

    /** Question to the cluster. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(YarnSession session) throws IOException;
    }

    private <T> CompletionStage<T> ask(
            MasterUrl master, SubmissionServices services, Settings settings, Question<T> question) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        HadoopSite site = HadoopSite.of(master, settings, services.environment());
        site.requireCluster();
        tools.sessions().under(services.blocking()).execute(() -> {
            try (YarnSession session = tools.sessions().open(site, settings)) {
                T answer = question.ask(session);
                services.loop().execute(() -> answered.complete(answer));
            } catch (Exception failure) {
                services.loop()
                        .execute(() -> answered.completeExceptionally(
                                failure instanceof HearthException ? failure : SubmissionFailures.of(failure)));
            }
        });
        return answered;
    }
}
