package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.ExitingThread;
import dev.hearth.spi.settings.SettingsReader;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one application in this process, once, on a thread of its own named {@code main}.
 * <p>{@link #run} is for one thread; {@link #stop} for any other. Whatever happens, the application's contexts are closed
 * and its code is let go before {@code run} returns.
 */
public final class ApplicationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationRunner.class);
    /** How long an application that is stopped may take to notice its interrupt. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(3);

    private final ApplicationLoaders loaders;
    private final DriverEngine engine;
    private final Duration stopGrace;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    public ApplicationRunner(ApplicationLoaders loaders, DriverEngine engine) {
        this(loaders, engine, STOP_GRACE);
    }

    ApplicationRunner(ApplicationLoaders loaders, DriverEngine engine, Duration stopGrace) {
        this.loaders = loaders;
        this.engine = engine;
        this.stopGrace = stopGrace;
    }

    /**
     * Runs the application to its end. Fails with {@code CLASS_MISSING}, with what the engine threw and the application did
     * not catch, with {@code APPLICATION_FAILED} for anything else it threw, and with {@code APPLICATION_KILLED} once stopped.
     */
    public void run(SubmissionPlan plan) throws InterruptedException {
        List<Path> jars = new ArrayList<>();
        jars.add(Path.of(plan.applicationJar()));
        plan.jars().forEach(jar -> jars.add(Path.of(jar)));
        try (ApplicationLoader code = loaders.open(plan.name(), classPath(plan), jars)) {
            MainMethod main = MainMethod.find(plan, code.classes());
            try (DriverEngine.Application application = engine.begin(plan.settings(), code)) {
                Optional<Throwable> thrown = run(plan, main, code.classes(), application);
                application.end(thrown.isEmpty());
                if (thrown.isPresent()) {
                    throw main.explain(thrown.get());
                }
            }
        }
    }

    private static List<Path> classPath(SubmissionPlan plan) {
        List<Path> entries = new ArrayList<>();
        String text = new SettingsReader(plan.settings()).read(ApplicationSettings.DRIVER_CLASS_PATH);
        for (String entry : text.split(Pattern.quote(File.pathSeparator), -1)) {
            if (!entry.isBlank()) {
                entries.add(Path.of(entry.strip()));
            }
        }
        return entries;
    }

    /** Ends the application: interrupts its main thread, and makes {@link #run} fail within seconds. */
    public void stop() {
        stopped.complete(null);
    }

    private Optional<Throwable> run(
            SubmissionPlan plan, MainMethod main, ClassLoader classes, DriverEngine.Application application)
            throws InterruptedException {
        CompletableFuture<Optional<Throwable>> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> ended.complete(main.call(plan.arguments())), "main");
        thread.setContextClassLoader(classes);
        ContextHolder.Installation installation = ContextHolder.install(classes, application.contexts());
        try {
            if (stopped.isDone()) {
                return Optional.of(killed(plan));
            }
            thread.start();
            CompletableFuture.anyOf(ended, stopped).get();
            return ended.isDone() ? ended.get() : Optional.of(interrupt(plan, thread, ended));
        } catch (ExecutionException unexpected) {
            throw new IllegalStateException("application " + plan.name() + ": " + unexpected, unexpected);
        } finally {
            thread.interrupt(); // when this thread was interrupted itself
            installation.close();
        }
    }

    private HearthException interrupt(SubmissionPlan plan, Thread thread, CompletableFuture<Optional<Throwable>> ended)
            throws InterruptedException, ExecutionException {
        if (ExitingThread.is(thread)) { // the application ended the process itself, which is what stopped it
            return killed(plan);
        }
        thread.interrupt();
        try {
            ended.get(stopGrace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException deaf) {
            LOG.warn(
                    "application {}: its main thread still runs {} s after it was interrupted; its contexts are closed",
                    plan.name(),
                    stopGrace.toSeconds(),
                    deaf);
        }
        return killed(plan);
    }

    private static HearthException killed(SubmissionPlan plan) {
        return ErrorCode.APPLICATION_KILLED.failure(
                "application " + plan.name() + ": stopped (expected: to run to its end)");
    }
}
