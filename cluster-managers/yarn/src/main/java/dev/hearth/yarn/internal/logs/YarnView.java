package dev.hearth.yarn.internal.logs;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.ContainerLogs;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.submission.SubmissionFailures;
import dev.hearth.yarn.internal.submission.SubmissionTools.Sessions;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * View of a cluster: its applications and drivers, and their logs. Each question has a session of its own, but a log that is
 * open is read without the ResourceManager. Called on the loop of its services; what blocks runs on their threads, one
 * question after the other.
 */
public final class YarnView implements ClusterView {
    /** Time between two looks for logs that nodes still collect. */
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** Looks for such logs, at most. */
    private static final int LOOKS_MAX = 40;

    private static final String APPLICATION = "application_\\d+_\\d+";
    /** Logs that are open at once, at most: those of the last processes that were asked for. */
    private static final int LOGS_MAX = 8;

    private final Sessions sessions;
    private final HadoopSite site;
    private final Settings settings;
    private final String type;
    private final EventLoop loop;
    private final Executor blocking;
    private final Map<String, OpenLog> open = new LinkedHashMap<>(); // used by the question that runs alone
    private final ContainerLogs logs;
    private CompletionStage<?> last = CompletableFuture.completedStage(null);

    /** {@code type} is the type of the applications that are listed. */
    public YarnView(Sessions sessions, HadoopSite site, Settings settings, String type, SubmissionServices services) {
        this.sessions = sessions;
        this.site = site;
        this.settings = settings;
        this.type = type;
        this.loop = services.loop();
        this.logs = new SessionLogs(() -> sessions.open(site, settings));
        this.blocking = sessions.under(services.blocking());
    }

    /** Question to the cluster. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws IOException;
    }

    /** Question in a session. */
    @FunctionalInterface
    private interface SessionQuestion<T> {
        T ask(YarnSession session) throws IOException;
    }

    @Override
    public CompletionStage<ClusterListing<ApplicationEntry>> applications() {
        return ask(() -> inSession(session -> ClusterListing.of(session.cluster().ofType(type).stream()
                .map(ClusterEntries::application)
                .toList())));
    }

    @Override
    public CompletionStage<ClusterListing<DriverEntry>> drivers() {
        return ask(() -> inSession(session -> ClusterListing.of(session.cluster().ofType(type).stream()
                .map(ClusterEntries::driver)
                .toList())));
    }

    @Override
    public CompletionStage<ApplicationEntry> kill(ApplicationId application, String reason) {
        return ask(() -> inSession(session -> {
            ClusterReport report = session.cluster()
                    .report(application.value())
                    .orElseThrow(() -> ErrorCode.APPLICATION_UNKNOWN.failure("application " + application
                            + ": the ResourceManager does not know it (expected: one that it has not forgotten)"));
            if (!report.state().isFinal()) {
                session.cluster().kill(application.value(), reason);
            }
            return ClusterEntries.application(report);
        }));
    }

    @Override
    public CompletionStage<LogChunk> log(LogSource source, OutputRange range, String holder) {
        return log(source, OptionalInt.empty(), range, holder);
    }

    @Override
    public CompletionStage<LogChunk> log(LogSource source, OptionalInt attempt, OutputRange range, String holder) {
        CompletableFuture<LogChunk> read = new CompletableFuture<>();
        look(source, attempt, range, LOOKS_MAX, read);
        return read;
    }

    /** Reads a log; if nodes still collect it, looks again after a moment, {@code looks} times at most. */
    private void look(
            LogSource source, OptionalInt attempt, OutputRange range, int looks, CompletableFuture<LogChunk> read) {
        ask(() -> read(source, attempt, range)).whenComplete((chunk, failure) -> {
            if (failure == null) {
                read.complete(chunk);
            } else if (failure.getCause() instanceof NotYetCollected && looks > 1) {
                loop.schedule(PAUSE, () -> look(source, attempt, range, looks - 1, read));
            } else {
                read.completeExceptionally(failure);
            }
        });
    }

    private LogChunk read(LogSource source, OptionalInt attempt, OutputRange range) throws IOException {
        String name = range.output().file();
        String key = source + " " + attempt + " " + name;
        Optional<OpenLog> known = Optional.ofNullable(open.get(key));
        OpenLog log = known.isPresent() ? known.get() : OpenLog.of(search(source, attempt), name);
        open.put(key, log);
        if (open.size() > LOGS_MAX) {
            open.remove(open.keySet().iterator().next());
        }
        return log.read(range);
    }

    private LogSearch search(LogSource source, OptionalInt attempt) {
        String application = source.application().map(ApplicationId::value).orElseGet(source::process);
        if (!application.matches(APPLICATION)) {
            throw ErrorCode.LOG_UNKNOWN.failure("log of " + source
                    + ": no application of YARN (expected: an id such as application_1700000000000_0001)");
        }
        return new LogSearch(logs, application, source, attempt);
    }

    private <T> T inSession(SessionQuestion<T> question) throws IOException {
        try (YarnSession session = sessions.open(site, settings)) {
            return question.ask(session);
        }
    }

    private synchronized <T> CompletionStage<T> ask(Question<T> question) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        CompletionStage<?> before = last;
        last = answered.handle((answer, failure) -> true);
        before.thenRunAsync(
                () -> {
                    try {
                        T answer = question.ask();
                        loop.execute(() -> answered.complete(answer));
                    } catch (Throwable failure) { // also an Error of a class that is missing
                        HearthException told = told(failure);
                        loop.execute(() -> answered.completeExceptionally(told));
                    }
                },
                blocking);
        return answered;
    }

    private static HearthException told(Throwable failure) {
        if (failure instanceof HearthException known) {
            return known;
        }
        if (failure instanceof NotYetCollected soon) {
            return ErrorCode.LOG_UNKNOWN.failure(String.valueOf(soon.getMessage()), soon);
        }
        return failure instanceof Exception refused
                ? SubmissionFailures.of(refused)
                : ErrorCode.INTERNAL.failure("view of YARN: " + Failures.describe(failure), failure);
    }
}
