package dev.hearth.embedded;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.engine.wiring.EngineParts;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.submission.api.ApplicationRunner;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application in this process, from its command line to its end. One thread calls {@link #run}; any thread may call
 * {@link #stop}.
 */
final class EmbeddedApplication {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedApplication.class);
    /** Maximum time that the end of the process waits for the application. */
    private static final Duration END_MAX = Duration.ofSeconds(5);

    private final List<String> words;
    private final BiConsumer<String, Object> report;
    private final ApplicationRunner runner;
    private final LocalClusterManagers managers = new LocalClusterManagers();
    private final CountDownLatch ended = new CountDownLatch(1);

    EmbeddedApplication(List<String> words, BiConsumer<String, Object> report, ClassLoader program) {
        this.words = words;
        this.report = report;
        FileStoreRegistry stores = FileStoreRegistry.of(() -> ServiceLoader.load(FileStores.class));
        DriverEngine engine = EngineParts.engine(
                managers,
                settings -> {
                    throw new IllegalStateException("message system: asked for with " + settings
                            + " (expected: never, with executors in this process alone)");
                },
                List.of(new OptionalEventLog(), new Follower()),
                stores);
        this.runner = new ApplicationRunner(
                new ProgramApplications(program),
                engine,
                stores,
                (request, listener) -> {
                    throw ErrorCode.NO_PROVIDER.failure(ApplicationSettings.PACKAGES
                            + ": no packages are resolved in this program (expected: jars on its class path); name them"
                            + " as dependencies of the program's build");
                },
                Path.of(System.getProperty("java.io.tmpdir")));
    }

    void run() {
        report.accept("state", "CONNECTED");
        int status = ExitCode.OK.status();
        try {
            run(request());
            report.accept("state", "FINISHED");
        } catch (InterruptedException | RuntimeException | LinkageError failure) {
            ErrorCode code = Failures.code(failure);
            status = code.exit().status();
            Throwable cause =
                    failure instanceof HearthException && failure.getCause() != null ? failure.getCause() : failure;
            report.accept("error", cause);
            report.accept("end", code.name() + "\t" + escaped(Failures.describe(failure)));
            report.accept("state", code == ErrorCode.APPLICATION_KILLED ? "KILLED" : "FAILED");
        } finally {
            ended.countDown();
            report.accept("exit", status);
        }
    }

    void stop() {
        runner.stop();
    }

    /** Waits until the application has ended, at most for some seconds. */
    void awaitEnd() {
        try {
            if (!ended.await(END_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("application {}: still runs while the process ends (expected: ended by now)", words);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private SubmissionRequest.Submit request() {
        SubmissionRequest request = SubmitArguments.parse(
                words,
                ProgramSettings.now(),
                ShippedRules.INSTANCE,
                settings -> SettingsCheck.check(settings, Map.of()),
                LOG::warn);
        if (request instanceof SubmissionRequest.Submit submit) {
            return submit;
        }
        throw EmbeddedApplications.notHere(String.join(" ", words));
    }

    private void run(SubmissionRequest.Submit request) throws InterruptedException {
        ClusterManager manager =
                managers.pin(request.master(), request.plan().name()).manager();
        manager.validate(request.master());
        SubmitArguments.requireOffered(request, manager);
        manager.check(request.plan(), request.master(), request.mode());
        // the application prints to the standard output of this program, which the program itself watches
        runner.run(request.plan(), new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    /** Reports the id of the application and that it runs. A program may open several contexts; the first one counts. */
    private final class Follower implements EventSubscriber {
        @Override
        public Optional<ApplicationListener> subscribe(String application, String name, Settings settings) {
            report.accept("application", application);
            report.accept("state", "SUBMITTED");
            return Optional.of(new ApplicationListener() {
                @Override
                public void on(ApplicationEvent event) {
                    if (event instanceof ApplicationEvent.ApplicationStarted) {
                        report.accept("state", "RUNNING");
                    }
                }

                @Override
                public boolean hearsTasks() {
                    return false;
                }
            });
        }
    }
}
