package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ClusterConnection;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionRules;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.time.Ticker;
import dev.hearth.submission.api.ApplicationFailure;
import dev.hearth.submission.api.ApplicationRunner;
import dev.hearth.submission.api.ResourceSchemes;
import dev.hearth.submission.api.RetiredMasters;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes one request of the {@code submit} command line, such as a submission or a status query, on the thread of the
 * role. If {@code stopped} completes, because this process is to end, waits for the cluster end early.
 */
record SubmitCommand(
        RoleLaunch launch,
        ClusterManagers managers,
        RpcEnvFactory rpcs,
        ApplicationRunner runner,
        FileStoreRegistry stores,
        InstalledRules rules,
        EndSignals signals,
        boolean terminal,
        SubmitStyle style,
        SubmissionObservers observers,
        CompletableFuture<Void> stopped)
        implements SubmissionRequest.Handler<ExitStatus> {
    private static final Logger LOG = LoggerFactory.getLogger(SubmitCommand.class);
    private static final String VERSION_FILE = "version.properties";
    /** Time in which a driver is expected to start, before bin/spark-submit prints its state and ends. */
    private static final int BEGIN_SECONDS_MAX = 5;
    /** Spark's line for callers that do not wait; the two blanks are Spark's. */
    private static final String NOT_WAITING =
            "spark-submit not configured to wait for completion,  exiting spark-submit JVM.";

    @Override
    public ExitStatus onHelp(SubmissionRequest.Help request) {
        (request.isError() ? launch.err() : launch.out()).print(SubmitArguments.usage(rules));
        return ExitStatus.of(request.isError() ? ExitCode.FAILED : ExitCode.OK);
    }

    @Override
    public ExitStatus onVersion(SubmissionRequest.Version request) throws IOException {
        launch.out()
                .println("hearth " + version() + ", Java " + Runtime.version().feature());
        return ExitStatus.of(ExitCode.OK);
    }

    static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream in =
                Objects.requireNonNull(SubmitCommand.class.getResourceAsStream(VERSION_FILE), VERSION_FILE)) {
            properties.load(in);
        }
        return properties.getProperty("version");
    }

    @Override
    public ExitStatus onSubmit(SubmissionRequest.Submit undated) throws InterruptedException {
        SubmissionRequest.Submit request = dated(undated, Instant.now());
        String name = request.plan().name();
        try (PinnedManager pinned = pin(request.master(), "submission of " + name)) {
            SubmitArguments.requireOffered(request, pinned.manager());
            ResourceSchemes.require(
                    request.plan(),
                    () -> pinned.manager().rules(request.master()).fileSchemes(request.mode()),
                    stores);
            pinned.manager().check(request.plan(), request.master(), request.mode());
            if (request.verbose()) {
                launch.err().print(PrintableText.lines(SubmissionDescription.describe(request)));
            }
            if (request.mode() == DeployMode.CLUSTER) {
                return submit(request, pinned.manager());
            }
        }
        observers.began(request.plan(), DeployMode.CLIENT, runner::stop);
        PackageReport packages = new PackageReport(launch.err(), request.verbose(), terminal);
        try {
            runner.run(request.plan(), packages, launch.out());
            return ExitStatus.of(ExitCode.OK);
        } catch (HearthException failure) {
            if (stopped.isDone()) {
                throw failure;
            }
            observers.failed(failure);
            return report(failure, request);
        }
    }

    /** Returns {@code request} with the time of the submission, unless its settings have one. */
    private static SubmissionRequest.Submit dated(SubmissionRequest.Submit request, Instant now) {
        String key = ApplicationSettings.SUBMIT_TIME.name();
        Settings settings = request.plan().settings();
        if (settings.origin(key).isPresent()) {
            return request;
        }
        Settings dated = settings.with("submission", key, String.valueOf(now.toEpochMilli()));
        return new SubmissionRequest.Submit(
                request.plan().but().settings(dated).build(),
                request.master(),
                request.mode(),
                request.waits(),
                request.verbose());
    }

    /** Prints the failure of an application in this process, with the place of its whole stack trace. */
    private ExitStatus report(HearthException failure, SubmissionRequest.Submit request) {
        ExitStatus status = ApplicationFailure.print(failure, request.verbose(), launch.err())
                .orElseThrow(() -> failure);
        if (!request.verbose() && failure.getCause() != null) {
            try {
                Path directory = Path.of(System.getProperty("java.io.tmpdir"));
                Path file = new FailureTraces(directory, FailureTraces.FILES_MAX)
                        .write(request.plan().name(), failure);
                launch.err().println(PrintableText.line("  full stack trace: " + file));
            } catch (IOException | UnsupportedOperationException unwritten) {
                launch.err()
                        .println(PrintableText.line(
                                "  full stack trace: with --verbose, as it cannot be written to a file: " + unwritten));
            }
        }
        return status;
    }

    private ExitStatus submit(SubmissionRequest.Submit given, ClusterManager manager) throws InterruptedException {
        SubmissionRules own = manager.rules(given.master());
        SubmissionRequest.Submit request = withWait(given, own);
        boolean follows = style == SubmitStyle.HEARTH || waits(request, own);
        SubmissionProgress watch =
                new SubmissionProgress(launch.out(), launch.err(), style, follows, own.ownProgress());
        CompletableFuture<SubmissionId> known = new CompletableFuture<>();
        CompletionStage<SubmissionId> accepted = known;
        observers.began(
                request.plan(), DeployMode.CLUSTER, () -> accepted.thenAccept(id -> stop(id, request, manager)));
        try (Interruption interruption = new Interruption(signals)) {
            try {
                return submit(request, manager, watch, known, interruption.firstOr(stopped));
            } catch (HearthException failure) {
                EndSignal signal = interruption.signal().orElseThrow(() -> failure);
                if (failure.code().equals(ErrorCode.SUBMISSION_REFUSED.name())) { // the manager has undone it
                    launch.err().println(PrintableText.line(ApplicationFailure.ERROR_PREFIX + failure.getMessage()));
                    return new ExitStatus(signal.exitStatus());
                }
                return new Detachment(Detachment.commandFor(request.master()), launch.err(), terminal, Detachment.AGAIN)
                        .detach(
                                signal,
                                watch.submission(),
                                interruption,
                                id -> kill(id, request, manager, interruption.thirdOr(stopped)));
            }
        }
    }

    /** Kills a submission for an observer, which has no other way to learn of a failure than its state. */
    private void stop(SubmissionId id, SubmissionRequest.Submit request, ClusterManager manager) {
        try {
            kill(id, request, manager, stopped);
        } catch (HearthException failure) {
            LOG.warn("submission {}: not known whether it was killed", id, failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private SubmissionStatus kill(
            SubmissionId id,
            SubmissionRequest.Submit request,
            ClusterManager manager,
            CompletableFuture<Void> interrupted)
            throws InterruptedException {
        try (ClusterConnection line = connect(request.plan().settings(), interrupted)) {
            return line.call(services -> manager.kill(id, request.master(), services));
        }
    }

    private ExitStatus submit(
            SubmissionRequest.Submit request,
            ClusterManager manager,
            SubmissionProgress watch,
            CompletableFuture<SubmissionId> known,
            CompletableFuture<Void> interrupted)
            throws InterruptedException {
        SubmissionListener listener = terminal
                ? new UploadBar(launch.err(), observers.around(watch), Ticker.system())
                : observers.around(watch);
        boolean waits = waits(request, manager.rules(request.master()));
        try (ClusterConnection line = connect(request.plan().settings(), interrupted)) {
            SubmissionId id = line.call(services -> manager.submit(request.plan(), request.master(), services, listener)
                    .thenApplyAsync(
                            accepted -> {
                                watch.accepted(accepted);
                                observers.accepted(accepted);
                                return accepted;
                            },
                            services.loop()));
            known.complete(id);
            if (waits) {
                return new DriverEnd(launch.out(), launch.err(), style).report(line.await(watch.ended()));
            }
            if (!watch.isOwn()) {
                awaitBegin(line, watch);
                tellState(line, manager, id, request.master(), watch);
            }
            return ExitStatus.of(ExitCode.OK);
        }
    }

    /** Gives the driver time to start before its state is printed once, as Spark's client does. */
    private void awaitBegin(ClusterConnection line, SubmissionProgress watch) throws InterruptedException {
        if (style == SubmitStyle.SPARK) {
            watch.step("... waiting before polling master for driver state");
            line.await(watch.begun().copy().completeOnTimeout(null, BEGIN_SECONDS_MAX, TimeUnit.SECONDS));
            watch.step("... polling master for driver state");
        }
    }

    /** Prints the state of an accepted submission, or why it is unknown; the submission itself has succeeded. */
    private void tellState(
            ClusterConnection line, ClusterManager manager, SubmissionId id, MasterUrl master, SubmissionProgress watch)
            throws InterruptedException {
        try {
            line.call(services -> manager.status(id, master, services)
                    .thenAcceptAsync(
                            status -> {
                                watch.tell(status);
                                if (style == SubmitStyle.SPARK
                                        && !status.state().isFinal()) {
                                    watch.step(NOT_WAITING);
                                }
                            },
                            services.loop()));
        } catch (HearthException failure) {
            launch.err().println(PrintableText.line("warning: state of " + id + ": unknown: " + failure.getMessage()));
        }
    }

    /** Returns {@code request} with {@code --no-wait} as the setting that the manager reads. */
    private static SubmissionRequest.Submit withWait(SubmissionRequest.Submit request, SubmissionRules rules) {
        if (request.waits() || rules.waitSetting().isEmpty()) {
            return request;
        }
        Settings settings = request.plan().settings().with("--no-wait", rules.waitSetting(), "false");
        return new SubmissionRequest.Submit(
                request.plan().but().settings(settings).build(),
                request.master(),
                request.mode(),
                false,
                request.verbose());
    }

    /** Whether to wait for the end of the driver: unless a flag or the cluster's own setting says otherwise. */
    private boolean waits(SubmissionRequest.Submit request, SubmissionRules rules) {
        if (!request.waits() || rules.waitSetting().isEmpty()) {
            return request.waits();
        }
        SettingsReader in = new SettingsReader(request.plan().settings());
        boolean byDefault = style.waitsByDefault(request.master().scheme());
        boolean waits = in.read(SettingKey.flag(rules.waitSetting(), byDefault, "Whether to wait for the end."));
        in.finish();
        return waits;
    }

    @Override
    public ExitStatus onStatus(SubmissionRequest.Status request) throws InterruptedException, IOException {
        try (PinnedManager pinned = pin(request.master(), "question about " + request.submissions());
                ClusterConnection line = connect(request.settings())) {
            AnswerPrinter printer = printer(
                    request.submissions(), request.json(), pinned.manager().rules(request.master()), line);
            printer.request("for the status of", request.master());
            List<SubmissionStatus> found = found(
                    request.submissions(),
                    request.master(),
                    line,
                    services -> pinned.manager().status(request.submissions(), request.master(), services),
                    printer::unknownStatus);
            printer.status(found);
            return ExitStatus.of(ExitCode.OK);
        }
    }

    @Override
    public ExitStatus onKill(SubmissionRequest.Kill request) throws InterruptedException, IOException {
        try (PinnedManager pinned = pin(request.master(), "end of " + request.submissions());
                ClusterConnection line = connect(request.settings())) {
            AnswerPrinter printer = printer(
                    request.submissions(), request.json(), pinned.manager().rules(request.master()), line);
            printer.request("to kill", request.master());
            List<SubmissionStatus> found = found(
                    request.submissions(),
                    request.master(),
                    line,
                    services -> pinned.manager().kill(request.submissions(), request.master(), services),
                    printer::unknownKill);
            printer.kill(found);
            return ExitStatus.of(ExitCode.OK);
        }
    }

    private AnswerPrinter printer(SubmissionPattern asked, boolean json, SubmissionRules rules, ClusterConnection line)
            throws IOException {
        AnswerPrinter.Form form = AnswerPrinter.Form.of(style, json, rules.ownProgress());
        if (form == AnswerPrinter.Form.OWN) {
            line.saying(said -> launch.err().println(PrintableText.line(said)));
        }
        return new AnswerPrinter(launch.out(), launch.err(), form, asked, version());
    }

    /** Returns what the cluster answers. Runs {@code unknown} before it fails because nothing matches. */
    private static List<SubmissionStatus> found(
            SubmissionPattern asked,
            MasterUrl master,
            ClusterConnection line,
            Function<SubmissionServices, CompletionStage<List<SubmissionStatus>>> request,
            Runnable unknown)
            throws InterruptedException {
        try {
            List<SubmissionStatus> found = line.call(request);
            requireAny(found, asked, master);
            return found;
        } catch (HearthException failure) {
            if (failure.code().equals(ErrorCode.SUBMISSION_UNKNOWN.name())) {
                unknown.run();
            }
            throw failure;
        }
    }

    private static void requireAny(List<SubmissionStatus> found, SubmissionPattern submissions, MasterUrl master) {
        if (found.isEmpty()) {
            throw ErrorCode.SUBMISSION_UNKNOWN.failure("submission '" + submissions + "': none matches on master "
                    + master + " (expected: a pattern of submissions there)");
        }
    }

    private ClusterConnection connect(Settings settings) {
        return connect(settings, stopped);
    }

    private ClusterConnection connect(Settings settings, CompletableFuture<Void> interrupted) {
        return ClusterConnection.openForUser(
                rpcs, settings, launch.home(), interrupted, failure -> LOG.error("submission", failure));
    }

    private PinnedManager pin(MasterUrl master, String holder) {
        PinnedManager pinned;
        try {
            pinned = managers.pin(master, holder);
        } catch (HearthException failure) {
            throw RetiredMasters.explain(failure, master);
        }
        pinned.manager().validate(master);
        return pinned;
    }
}
