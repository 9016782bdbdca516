package dev.hearth.submission.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentDirectories;
import dev.hearth.submission.api.ApplicationFailure;
import dev.hearth.submission.api.ApplicationRunner;
import dev.hearth.submission.api.PackageSource;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a driver under a cluster manager: starts the application named in the key-value pairs that the parent process
 * passed at the start. The output goes to log files. A failure is therefore printed with its stack trace before the
 * usual one-line error.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=driver")
public final class DriverRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(DriverRole.class);
    /** Maximum time for a seat to be registered after the bundle of its manager has started. */
    private static final Duration SEAT_BOUND = Duration.ofSeconds(5);

    private static final String MASTER = "hearth.master";
    private static final String LOG_LEVEL = "hearth.log.level";
    private static final String SUBMISSION = "submission"; // origin of the settings that came with it

    private final RpcEnvFactory rpcs;
    private final DriverEngine engine;
    private final Logs logs;
    private final ApplicationLoaders loaders;
    private final ApplicationRunner runner;
    private final ClusterManagers managers;
    private final Path directory;
    private final Duration seatBound;
    private final DriverSeats seats = new DriverSeats();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private @Nullable HearthException printed; // used by the main thread alone

    @Activate
    public DriverRole(
            @Reference ApplicationLoaders loaders,
            @Reference DriverEngine engine,
            @Reference ClusterManagers managers,
            @Reference FileStoreRegistry stores,
            @Reference LiveServices services,
            @Reference OnDemandBundles reserves,
            @Reference RpcEnvFactory rpcs,
            @Reference Logs logs) {
        this(
                rpcs,
                logs,
                loaders,
                engine,
                managers,
                stores,
                PackageSource.onDemand(services, reserves),
                Path.of("").toAbsolutePath(),
                SEAT_BOUND);
    }

    /** Creates a role whose process has the working directory {@code directory}. */
    DriverRole(
            RpcEnvFactory rpcs,
            Logs logs,
            ApplicationLoaders loaders,
            DriverEngine engine,
            ClusterManagers managers,
            FileStoreRegistry stores,
            PackageSource packages,
            Path directory,
            Duration seatBound) {
        this.rpcs = rpcs;
        this.engine = engine;
        this.logs = logs;
        this.loaders = loaders;
        this.managers = managers;
        this.seatBound = seatBound;
        this.runner = new ApplicationRunner(loaders, engine, stores, packages, directory);
        this.directory = directory;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        try {
            startBundles(launch.orders());
            SubmissionPlan plan = DriverOrders.plan(launch.orders(), launch.settings());
            logs.configure(logLevels(plan.settings()));
            if (DriverOrders.areSeated(launch.orders())) {
                return runSeated(plan, launch);
            }
            runner.run(plan, directory, launch.out());
            return ExitStatus.of(ExitCode.OK);
        } catch (HearthException failure) {
            return printed(failure, launch.err());
        }
    }

    /** Prints {@code failure}, once, unless the driver was asked to end, and returns the exit status or fails with it. */
    private ExitStatus printed(HearthException failure, PrintStream err) {
        if (stopped.isDone()) {
            return ExitStatus.of(ExitCode.TERMINATED);
        }
        if (failure == printed) {
            throw failure;
        }
        printed = failure;
        failure.printStackTrace(err);
        // else the kernel prints the one-line error and derives the exit status from this failure
        return ApplicationFailure.print(failure, false, err).orElseThrow(() -> failure);
    }

    @Override
    public void prepare(String scheme) throws Exception {
        DriverRehearsal.job(loaders, engine);
        DriverRehearsal.cluster(managers, rpcs, scheme);
    }

    /** The levels of loggers that came with the submission. Where this machine logs is not a matter of the submitter. */
    private static Settings logLevels(Settings settings) {
        Settings levels = Settings.empty();
        for (String key : settings.keys()) {
            if (key.startsWith(LOG_LEVEL) && settings.origin(key).equals(Optional.of(SUBMISSION))) {
                levels = levels.with(SUBMISSION, key, settings.find(key).orElse(""));
            }
        }
        return levels;
    }

    /** Seat of a cluster manager, which may be registered later than this role. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    public void addSeat(DriverSeat seat, Map<String, ?> properties) {
        seats.add(seat, properties);
    }

    /** Forgets a seat whose bundle stops. */
    public void removeSeat(DriverSeat seat) {
        seats.remove(seat);
    }

    /** Runs the application between the two calls of its manager's seat. */
    private ExitStatus runSeated(SubmissionPlan plan, RoleLaunch launch) throws InterruptedException {
        MasterUrl master = MasterUrl.parse(plan.settings().find(MASTER).orElse(""));
        try (PinnedManager manager = managers.pin(master, "driver")) { // starts the bundle of the manager
            LOG.debug("driver: {} has a seat in it", manager.manager());
            SeatedRun run = new SeatedRun(seats.await(master.scheme(), seatBound), stopped);
            if (!run.begin(plan)) {
                return ExitStatus.of(ExitCode.TERMINATED);
            }
            ExitCode code = ExitCode.OK;
            String words = "";
            try {
                runner.run(plan, directory, launch.out());
                return ExitStatus.of(ExitCode.OK);
            } catch (Throwable failure) { // an Error too, because every end is reported
                code = stopped.isDone()
                        ? ExitCode.TERMINATED
                        : Failures.code(failure).exit();
                words = Failures.describe(failure);
                if (failure instanceof HearthException known) {
                    return printed(
                            known, launch.err()); // before the seat reports the end with the last lines of errors
                }
                throw failure;
            } finally {
                run.end(ExitStatus.of(code), words);
            }
        }
    }

    /** Starts the bundles that the submitter has sent, so that the application can use their services. */
    private void startBundles(Map<String, String> orders) {
        CarriedBundles carried = CarriedBundles.from(orders);
        ContentDirectories contents = new ContentDirectories(carried.directories(), LOG::warn);
        loaders.start(carried.bundles(), (bundle, target) -> {
            Path jar = contents.find(bundle.content())
                    .orElseThrow(() -> ErrorCode.START_FAILED.failure("jar " + bundle.content() + ": not in " + contents
                            + " (expected: a file whose name begins with its hash)"));
            Files.copy(jar, target, StandardCopyOption.REPLACE_EXISTING);
        });
    }

    @Override
    public void stop() {
        stopped.complete(null);
        runner.stop();
    }
}
