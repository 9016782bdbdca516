package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.ContextHolder;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.role.ExitingThread;
import dev.hearth.spi.role.StandardOutput;
import dev.hearth.spi.storage.FileStoreRegistry;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one application in this process, once, on a separate thread named {@code main}.
 * <p>One thread calls {@link #run}; any other thread may call {@link #stop}. However the application ends, its contexts
 * and class loader are closed before {@code run} returns.
 */
public final class ApplicationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationRunner.class);
    /** Time after which a stopped application counts as ended, although its interrupted main thread still runs. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(3);

    private final ApplicationLoaders loaders;
    private final DriverEngine engine;
    private final FileStoreRegistry stores;
    private final PackageSource packages;
    private final Path temporary;
    private final Duration stopGrace;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    /**
     * Creates a runner that fetches the files of its application from the stores in {@code stores}, and its packages
     * from {@code packages}. {@code temporary} is the directory for files of an application that no cluster has started.
     */
    public ApplicationRunner(
            ApplicationLoaders loaders,
            DriverEngine engine,
            FileStoreRegistry stores,
            PackageSource packages,
            Path temporary) {
        this(loaders, engine, stores, packages, temporary, STOP_GRACE);
    }

    ApplicationRunner(
            ApplicationLoaders loaders,
            DriverEngine engine,
            FileStoreRegistry stores,
            PackageSource packages,
            Path temporary,
            Duration stopGrace) {
        this.packages = packages;
        this.temporary = temporary;
        this.stores = stores;
        this.loaders = loaders;
        this.engine = engine;
        this.stopGrace = stopGrace;
    }

    /**
     * Runs the application to its end. Fails with {@code CLASS_MISSING}, with the engine's own failure if the
     * application does not catch it, with {@code APPLICATION_FAILED} for any other uncaught exception, and with {@code
     * APPLICATION_KILLED} after {@link #stop}. Fails with {@code DISK_FAILED} if {@code out}, the application's standard
     * output, could not be written.
     */
    public void run(SubmissionPlan plan, PrintStream out) throws InterruptedException {
        run(plan, Optional.empty(), new PackageLog(), out);
    }

    /** As {@link #run(SubmissionPlan, PrintStream)}; {@code listener} follows the resolution of packages. */
    public void run(SubmissionPlan plan, PackageListener listener, PrintStream out) throws InterruptedException {
        run(plan, Optional.empty(), listener, out);
    }

    /**
     * As {@link #run(SubmissionPlan, PrintStream)}, for a driver that a cluster has started in {@code directory}. Its
     * files and archives are placed there before its main method is called.
     */
    public void run(SubmissionPlan plan, Path directory, PrintStream out) throws InterruptedException {
        run(plan, Optional.of(directory), new PackageLog(), out);
    }

    private void run(SubmissionPlan plan, Optional<Path> directory, PackageListener listener, PrintStream out)
            throws InterruptedException {
        Path target = directory.orElse(temporary);
        List<Path> jars = new PackageJars(packages, listener, stopped).of(plan.settings());
        try (ResourceFetcher fetcher = new ResourceFetcher(stores, plan.name(), plan.settings(), target)) {
            PlacedResources placed = place(plan, fetcher, jars);
            try (ApplicationLoader code =
                    loaders.open(plan.name(), placed.classPath(), placed.jars(), plan.settings())) {
                run(placed.plan(), code, directory, out);
            }
        }
    }

    private PlacedResources place(SubmissionPlan plan, ResourceFetcher fetcher, List<Path> jars) {
        CompletableFuture<Void> cancelling = stopped.thenRun(fetcher::cancel);
        try {
            return PlacedResources.of(plan, fetcher, jars);
        } catch (HearthException failure) {
            if (stopped.isDone()) { // which is why a file could not be fetched
                LOG.debug("application {}: stopped while its files were fetched", plan.name(), failure);
                throw killed(plan);
            }
            throw failure;
        } finally {
            cancelling.cancel(false);
        }
    }

    private void run(SubmissionPlan plan, ApplicationLoader code, Optional<Path> directory, PrintStream out)
            throws InterruptedException {
        MainMethod main = MainMethod.find(plan, code.classes());
        try (DriverEngine.Application application = engine.begin(plan.settings(), code)) {
            directory.ifPresent(application::placeFiles);
            Optional<HearthException> failure = run(plan, main, code.classes(), application)
                    .map(main::explain)
                    .or(() -> StandardOutput.loss(out));
            application.end(failure.isEmpty());
            if (failure.isPresent()) {
                throw failure.get();
            }
        }
    }

    /** Stops the application by an interrupt of its main thread, so that {@link #run} fails within seconds. */
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
            return ended.isDone() ? ended.get() : Optional.of(interrupt(plan, thread, ended, application));
        } catch (ExecutionException unexpected) {
            throw new IllegalStateException("application " + plan.name() + ": " + unexpected, unexpected);
        } finally {
            // also reached if the thread that called run is interrupted; the application must stop then too
            thread.interrupt();
            installation.close();
        }
    }

    private HearthException interrupt(
            SubmissionPlan plan,
            Thread thread,
            CompletableFuture<Optional<Throwable>> ended,
            DriverEngine.Application application)
            throws InterruptedException, ExecutionException {
        if (ExitingThread.is(thread)) { // the application called System.exit, and the exit caused the stop
            return killed(plan);
        }
        application.killed(); // before the interrupt, after which the application may close its contexts itself
        thread.interrupt();
        try {
            ended.get(stopGrace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException deaf) {
            LOG.warn(
                    "application {}: the main thread still runs {} s after it was interrupted (expected: ended by"
                            + " then); its contexts are closed now",
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
