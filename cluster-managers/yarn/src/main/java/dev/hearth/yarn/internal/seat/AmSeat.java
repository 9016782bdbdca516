package dev.hearth.yarn.internal.seat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.role.ExitingThread;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.backend.YarnApplication;
import dev.hearth.yarn.internal.backend.YarnMetrics;
import dev.hearth.yarn.internal.driver.BackendSettings;
import dev.hearth.yarn.internal.driver.SeatedApplication;
import dev.hearth.yarn.internal.driver.SeatedDriver;
import dev.hearth.yarn.internal.exit.ExitNote;
import dev.hearth.yarn.internal.hadoop.DirectLines;
import dev.hearth.yarn.internal.hadoop.FinalWords;
import dev.hearth.yarn.internal.hadoop.LineIdentity;
import dev.hearth.yarn.internal.hadoop.LineSettings;
import dev.hearth.yarn.internal.hadoop.MasterContainer;
import dev.hearth.yarn.internal.hadoop.ProxyBases;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.manager.YarnFormerSettings;
import dev.hearth.yarn.internal.pages.YarnProxy;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.submission.DriverContainer;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seat in a driver that is its own application master. It registers the application before the program begins, and ends it
 * once, after the program, unless YARN is to start the driver again. Used by the thread of the driver.
 */
@Component(
        service = {DriverSeat.class, SeatedDriver.class},
        property = DriverSeat.SCHEME + "=yarn")
public final class AmSeat implements DriverSeat, SeatedDriver {
    private static final Logger LOG = LoggerFactory.getLogger(AmSeat.class);
    private static final Duration END_BOUND = Duration.ofSeconds(6);
    private static final String ATTEMPTS = "yarn.resourcemanager.am.max-attempts";
    private static final int ATTEMPTS_DEFAULT = 2;

    private final HadoopRuntime runtime;
    private final YarnMetrics metrics;
    private final YarnProxy proxy;
    private final Map<String, String> environment;
    private final Path directory;
    private volatile Optional<Seated> seated = Optional.empty();

    /** State of the seat during the run. */
    private record Seated(
            SeatedApplication application,
            LineIdentity identity,
            Settings settings,
            ThreadEventLoop loop,
            SeatEnd.Attempts attempts,
            Optional<String> stagingDirectory,
            int messageMax) {}

    @Activate
    public AmSeat(@Reference HadoopRuntime runtime, @Reference YarnMetrics metrics, @Reference YarnProxy proxy) {
        this.proxy = proxy;
        this.runtime = runtime;
        this.metrics = metrics;
        this.environment = System.getenv();
        this.directory = Path.of("");
    }

    @Override
    public Optional<SeatedApplication> seated() {
        return seated.map(Seated::application);
    }

    @Override
    public void begin(SubmissionPlan plan) throws Exception {
        Settings settings = YarnFormerSettings.resolved(plan.settings());
        BackendSettings parts = BackendSettings.from(settings);
        LineIdentity identity = MasterContainer.identity(runtime, settings, environment);
        Configuration hadoop = identity.configuration();
        ApplicationId id =
                new ApplicationId(identity.attempt().getApplicationId().toString());
        ThreadEventLoop loop = new ThreadEventLoop("hearth-yarn-seat", failure -> LOG.error("seat of {}", id, failure));
        LineSettings line =
                parts.line(hadoop, id.value(), Optional.of(identity.attempt().getAttemptId()));
        YarnApplication application = new YarnApplication(
                parts.identity(id, identity.user().getShortUserName(), hadoop, true),
                loop,
                DirectLines.of(identity, loop, line),
                parts.rules(hadoop),
                metrics);
        register(application, loop, plan, new SeatTokens(runtime, identity, settings, parts.kerberos()));
        proxy.add(application, () -> ProxyBases.of(hadoop, id.value()));
        parts.trackingWithoutPages(line).ifPresent(application::trackingUrl);
        seated = Optional.of(new Seated(
                new SeatedApplication(
                        id,
                        application,
                        StagedFiles.parse(
                                plan.settings().find(DriverContainer.STAGED).orElse("")),
                        identity.user().getShortUserName()),
                identity,
                settings,
                loop,
                attempts(parts, identity),
                plan.settings()
                        .find(DriverContainer.STAGING)
                        .filter(path -> !path.isBlank() && !parts.staging().keepsStaging()),
                parts.am().finalMessageCharacters()));
    }

    private static void register(
            YarnApplication application, ThreadEventLoop loop, SubmissionPlan plan, SeatTokens tokens)
            throws Exception {
        try {
            application.open().toCompletableFuture().get();
            tokens.begin(
                    plan.settings().find(DriverContainer.STAGING).filter(path -> !path.isBlank()), loop, application);
        } catch (Exception failure) { // YARN starts the driver again
            application.abandon();
            loop.close();
            Throwable cause = failure instanceof ExecutionException ? Failures.unwrap(failure) : failure;
            throw cause instanceof Exception known ? known : failure;
        }
    }

    private static SeatEnd.Attempts attempts(BackendSettings parts, LineIdentity identity) {
        int most = Math.min(
                parts.queue().attemptsMax().orElse(Integer.MAX_VALUE),
                identity.configuration().getInt(ATTEMPTS, ATTEMPTS_DEFAULT));
        boolean mayFollow = identity.attempt().getAttemptId() < most
                || parts.queue().attemptsValid().isPresent(); // then earlier attempts may not count
        return new SeatEnd.Attempts(parts.am().retryOn() == AmSettings.RetryOn.ANY, mayFollow);
    }

    @Override
    public void ended(ExitStatus status, String words) throws Exception {
        if (seated.isEmpty()) {
            return;
        }
        Seated run = seated.get();
        seated = Optional.empty();
        boolean isExit = Thread.getAllStackTraces().keySet().stream().anyMatch(ExitingThread::is);
        if (isExit) {
            // the status is unknown here; the shell above this process knows it, and lets another process end the
            // application
            ExitNote.write(
                    directory, run.attempts().retriesProgram() && run.attempts().mayFollow());
            run.application().application().abandon();
            return;
        }
        SeatEnd end = SeatEnd.of(status, words, errors(), run.attempts());
        if (end.outcome().isEmpty()) {
            LOG.warn(
                    "attempt {} has failed: {}; YARN starts the driver again",
                    run.identity().attempt(),
                    words);
            run.application().application().abandon();
            return;
        }
        StagingRemoval.run(
                () -> runtime.call(
                        () -> runtime.user(run.settings(), run.identity().configuration())),
                run.identity().configuration(),
                run.stagingDirectory());
        try {
            run.application()
                    .application()
                    .finish(end.outcome().get(), FinalWords.cut(end.words(), run.messageMax()))
                    .toCompletableFuture()
                    .get(END_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            LOG.warn(
                    "end of {}: {} (expected: known to the ResourceManager)",
                    run.application().id(),
                    failure.toString());
        } finally {
            run.loop().close();
        }
    }

    /** The last part of what this process has written to its log of errors. */
    private String errors() {
        String log = environment.getOrDefault("LOG_DIRS", "").split(",", -1)[0];
        if (log.isBlank()) {
            return "";
        }
        try (SeekableByteChannel file = Files.newByteChannel(Path.of(log, "stderr"))) {
            file.position(Math.max(0, file.size() - SeatEnd.ERRORS_MAX)); // the log may be larger than the heap
            return new String(Channels.newInputStream(file).readNBytes(SeatEnd.ERRORS_MAX), UTF_8);
        } catch (IOException unreadable) {
            LOG.debug("log of errors in {}", log, unreadable);
            return "";
        }
    }
}
